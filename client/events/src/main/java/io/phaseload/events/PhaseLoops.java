package io.phaseload.events;

import io.netty.channel.SingleThreadIoEventLoop;
import io.phaseload.engine.Joining;
import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.PhaseUsers;
import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequests;
import io.phaseload.events.connection.Resolver;
import io.phaseload.health.LoopLag;
import io.phaseload.host.TcpConnection;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** The users of one phase, spread over event loops. */
final class PhaseLoops implements PhaseUsers {

    private final PhaseRun phase;
    private final List<SingleThreadIoEventLoop> loops;
    private final List<UserLoop> users = new ArrayList<>();
    private final LoopRecorder recorder;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger active;
    private boolean released;
    // Guarded by this: whether there are loops to tell about a stop.
    private boolean listening;

    /**
     * Creates the users, which don't send yet.
     *
     * @param all the run's event loops; with fewer users than loops, some stay unused
     */
    PhaseLoops(
            PhaseRun phase,
            EventLoops all,
            Resolver resolver,
            LoopRequests requests,
            Optional<LoopSocketSteps> sockets) {
        this.phase = phase;
        int most = Math.max(1, phase.settings().users());
        this.loops = all.all().subList(0, Math.min(all.all().size(), most));
        boolean keepsHeads = phase.settings().plan().scenario().keepsHeads()
                || !phase.settings().plan().target().details().headers().isEmpty();
        this.active = new AtomicInteger(loops.size());
        for (int i = 0; i < loops.size(); i++) {
            LoopContext context = all.newContext(loops.get(i), resolver, requests, keepsHeads);
            users.add(new UserLoop(phase, context, sockets, i, loops.size(), this::loopEnded));
        }
        this.recorder = new LoopRecorder(phase.settings().tallies(), this::takeTallies, () -> ask(UserLoop::sampler));
    }

    @Override
    public Recorder recorder() {
        return recorder;
    }

    @Override
    public synchronized void drain(Duration limit) {
        if (listening) {
            onEach(loop -> loop.stop(limit));
        }
    }

    @Override
    public boolean steerable() {
        return true;
    }

    @Override
    public synchronized void changed(int count) {
        if (listening) {
            onEach(loop -> loop.changed(count));
        }
    }

    @Override
    public void ready() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        join(UserLoop::prepare);
    }

    @Override
    public void release() {
        CompletableFuture.runAsync(this::begin, loops.get(0)).join();
        released = true;
    }

    /** In the first loop, which has the first request of an open phase, which is due now. */
    private void begin() {
        listen(true);
        phase.accounting().startClock();
        boolean open = phase.arrivals().isPresent();
        if (open) {
            users.get(0).start();
        }
        for (int i = 1; i < loops.size(); i++) {
            loops.get(i).execute(users.get(i)::start);
        }
        if (!open) {
            users.get(0).start();
        }
    }

    @Override
    public void await() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        if (released) {
            Joining.join(ended::await);
        }
        listen(false);
        join(UserLoop::close);
    }

    private synchronized void listen(boolean whether) {
        listening = whether;
    }

    private void loopEnded() {
        if (active.decrementAndGet() == 0) {
            phase.accounting().stopClock(lag());
            ended.countDown();
        }
    }

    @Override
    public Optional<LoopLag> lag() {
        return users.stream().map(UserLoop::lag).reduce(LoopLag::or);
    }

    @Override
    public List<TcpConnection> connections() {
        return ask(loop -> loop.context().askConnections()).stream()
                .flatMap(List::stream)
                .toList();
    }

    private List<List<Tally>> takeTallies() {
        return ask(UserLoop::takeTallies);
    }

    /** Each in its own thread. */
    private <T> List<T> ask(Function<UserLoop, T> question) {
        List<CompletableFuture<T>> asked = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            UserLoop loop = users.get(i);
            asked.add(CompletableFuture.supplyAsync(() -> question.apply(loop), loops.get(i)));
        }
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private void join(Consumer<UserLoop> task) {
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            UserLoop loop = users.get(i);
            asked.add(CompletableFuture.runAsync(() -> task.accept(loop), loops.get(i)));
        }
        asked.forEach(CompletableFuture::join);
    }

    private void onEach(Consumer<UserLoop> task) {
        for (int i = 0; i < loops.size(); i++) {
            UserLoop loop = users.get(i);
            loops.get(i).execute(() -> task.accept(loop));
        }
    }
}
