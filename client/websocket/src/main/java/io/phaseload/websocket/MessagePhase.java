package io.phaseload.websocket;

import io.netty.channel.SingleThreadIoEventLoop;
import io.phaseload.engine.Joining;
import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.PhaseUsers;
import io.phaseload.events.LoopRecorder;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.health.LoopLag;
import io.phaseload.host.TcpConnection;
import io.phaseload.measure.Recorder;
import io.phaseload.plan.engine.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** The pairs of one phase, spread over event loops. */
final class MessagePhase implements PhaseUsers {

    private final PhaseRun phase;
    private final List<SingleThreadIoEventLoop> loops;
    private final Handshakes handshakes;
    private final Protocol.WebSocket protocol;
    private final List<PairLoop> pairs = new ArrayList<>();
    private final LoopRecorder recorder;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger active;
    private boolean released;
    // Guarded by this: whether there are loops to tell about a stop.
    private boolean listening = true;

    /**
     * Creates the pairs, which aren't connected.
     *
     * @param all the run's event loops; with fewer pairs than loops, some stay unused
     * @param newContext what the connections of a loop share
     */
    MessagePhase(
            PhaseRun phase,
            List<SingleThreadIoEventLoop> all,
            Function<SingleThreadIoEventLoop, LoopContext> newContext,
            Handshakes handshakes,
            Protocol.WebSocket protocol) {
        this.phase = phase;
        this.loops = all.subList(0, Math.min(all.size(), Math.max(1, phase.settings().users())));
        this.handshakes = handshakes;
        this.protocol = protocol;
        this.active = new AtomicInteger(loops.size());
        for (int i = 0; i < loops.size(); i++) {
            LoopContext context = newContext.apply(loops.get(i));
            pairs.add(new PairLoop(phase, context, i, loops.size(), this::loopEnded));
        }
        this.recorder =
                new LoopRecorder(
                        phase.settings().tallies(), () -> joined(ask(PairLoop::takeTallies)));
    }

    @Override
    public Recorder recorder() {
        return recorder;
    }

    /** Returns when each connection is open, or couldn't be opened. */
    @Override
    public void ready() throws InterruptedException {
        for (CompletableFuture<CompletableFuture<Void>> asked :
                ask(loop -> loop.connect(handshakes, protocol))) {
            try {
                asked.get().get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("connecting", e.getCause());
            }
        }
    }

    @Override
    public void release() {
        phase.accounting().startClock();
        released = true;
        onEach(PairLoop::start);
    }

    @Override
    public void await() throws InterruptedException {
        ended.await();
    }

    private void loopEnded() {
        if (active.decrementAndGet() == 0) {
            phase.accounting().stopClock(lag());
            ended.countDown();
        }
    }

    @Override
    public synchronized void drain(Duration limit) {
        if (listening) {
            onEach(loop -> loop.stop(limit));
        }
    }

    @Override
    public Optional<LoopLag> lag() {
        return pairs.stream().map(PairLoop::lag).reduce(LoopLag::or);
    }

    @Override
    public List<TcpConnection> connections() {
        return joined(ask(loop -> loop.context().askConnections())).stream()
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void close() {
        if (released) {
            Joining.join(ended::await);
        }
        synchronized (this) {
            listening = false;
        }
        joined(
                ask(
                        loop -> {
                            loop.close();
                            return true;
                        }));
    }

    /** Each in its own thread. */
    private <T> List<CompletableFuture<T>> ask(Function<PairLoop, T> question) {
        List<CompletableFuture<T>> asked = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            PairLoop loop = pairs.get(i);
            asked.add(CompletableFuture.supplyAsync(() -> question.apply(loop), loops.get(i)));
        }
        return asked;
    }

    private static <T> List<T> joined(List<CompletableFuture<T>> asked) {
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private void onEach(Consumer<PairLoop> task) {
        for (int i = 0; i < loops.size(); i++) {
            PairLoop loop = pairs.get(i);
            loops.get(i).execute(() -> task.accept(loop));
        }
    }
}
