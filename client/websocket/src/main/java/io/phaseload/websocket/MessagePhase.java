package io.phaseload.websocket;

import io.netty.channel.SingleThreadIoEventLoop;
import io.phaseload.engine.Joining;
import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.PhaseUsers;
import io.phaseload.events.LoopGroup;
import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.health.LoopLag;
import io.phaseload.host.TcpConnection;
import io.phaseload.measure.recording.Recorder;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** The pairs of one phase, spread over event loops. */
final class MessagePhase implements PhaseUsers {

    private final PhaseRun phase;
    private final Protocol.WebSocket protocol;
    private final List<PairLoop> pairs = new ArrayList<>();
    private final LoopGroup<PairLoop> loops;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Optional<RemotePhase> remote;
    // Loops whose own pairs haven't ended.
    private final AtomicInteger sending;
    // These loops together, and clients whose receivers are here.
    private final AtomicInteger active;
    private boolean released;
    // Guarded by this: whether there are loops that can stop.
    private boolean listening = true;

    /**
     * Creates the pairs, which aren't connected.
     *
     * @param all the run's event loops; with fewer pairs than loops, some stay unused
     * @param peerChannel to the clients that have the receivers; empty if they are here
     */
    MessagePhase(
            PhaseRun phase,
            EventLoops all,
            Handshakes handshakes,
            Protocol.WebSocket protocol,
            Optional<PeerChannel> peerChannel) {
        this.phase = phase;
        this.protocol = protocol;
        Plan plan = phase.settings().plan();
        int users = phase.settings().users();
        int everywhere = phase.settings().phase().users(plan.threads());
        int hostedReceivers = peerChannel
                .map(of -> of.placement().hostedReceivers(everywhere))
                .orElse(0);
        int most = all.all().size();
        int sending = Math.min(most, Math.max(1, users));
        List<SingleThreadIoEventLoop> own = all.all().subList(0, Math.min(most, Math.max(1, users + hostedReceivers)));
        this.sending = new AtomicInteger(own.size());
        for (int i = 0; i < own.size(); i++) {
            LoopContext context = all.newContext(own.get(i), handshakes.node(0));
            pairs.add(new PairLoop(phase, context, i, sending, handshakes, peerChannel, this::loopEnded));
        }
        Set<Integer> hosted =
                peerChannel.map(of -> of.placement().hosted(everywhere)).orElse(Set.of());
        this.active = new AtomicInteger(1 + hosted.size());
        this.remote = peerChannel.map(of ->
                new RemotePhase(of, plan.phases().indexOf(phase.settings().phase()), hosted, pairs, this::oneEnded));
        this.loops = new LoopGroup<>(phase.settings().tallies(), pairs);
    }

    @Override
    public Recorder recorder() {
        return loops.recorder();
    }

    /** Returns when each connection is open, or couldn't be opened. */
    @Override
    public void ready() throws InterruptedException {
        List<CompletableFuture<CompletableFuture<Void>>> connecting = loops.ask(loop -> loop.connect(protocol));
        remote.ifPresent(RemotePhase::begin);
        for (CompletableFuture<CompletableFuture<Void>> asked : connecting) {
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
        loops.execute(PairLoop::start);
    }

    @Override
    public void await() throws InterruptedException {
        ended.await();
    }

    private void loopEnded() {
        if (sending.decrementAndGet() == 0) {
            remote.ifPresent(RemotePhase::reportDone);
            oneEnded();
        }
    }

    private void oneEnded() {
        if (active.decrementAndGet() == 0) {
            phase.accounting().stopClock(lag());
            ended.countDown();
        }
    }

    @Override
    public synchronized void drain(Duration limit) {
        if (listening) {
            loops.execute(loop -> loop.stop(limit));
            remote.ifPresent(of -> pairs.get(0).context().schedule(of::giveUp, limit.toNanos()));
        }
    }

    @Override
    public Optional<LoopLag> lag() {
        return loops.lag();
    }

    @Override
    public List<TcpConnection> connections() {
        return loops.connections();
    }

    @Override
    public void close() {
        if (released) {
            Joining.join(ended::await);
        }
        synchronized (this) {
            listening = false;
        }
        remote.ifPresent(RemotePhase::end);
        loops.join(PairLoop::close);
    }
}
