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
import io.phaseload.measure.recording.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The users of one phase, spread over event loops. */
final class PhaseLoops implements PhaseUsers {

    private final PhaseRun phase;
    private final List<UserLoop> users = new ArrayList<>();
    private final LoopGroup<UserLoop> loops;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger active;
    private boolean released;
    // Guarded by this: whether there are loops that can stop.
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
        List<SingleThreadIoEventLoop> own =
                all.all().subList(0, Math.min(all.all().size(), most));
        boolean keepsHeads = phase.settings().plan().scenario().keepsHeads()
                || !phase.settings().plan().target().details().headers().isEmpty();
        this.active = new AtomicInteger(own.size());
        for (int i = 0; i < own.size(); i++) {
            LoopContext context = all.newContext(own.get(i), resolver, requests, keepsHeads);
            users.add(new UserLoop(phase, context, sockets, i, own.size(), this::loopEnded));
        }
        this.loops = new LoopGroup<>(phase.settings().tallies(), users);
    }

    @Override
    public Recorder recorder() {
        return loops.recorder();
    }

    @Override
    public synchronized void drain(Duration limit) {
        if (listening) {
            loops.execute(loop -> loop.stop(limit));
        }
    }

    @Override
    public boolean steerable() {
        return true;
    }

    @Override
    public synchronized void changed(int count) {
        if (listening) {
            loops.execute(loop -> loop.changed(count));
        }
    }

    @Override
    public void ready() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        loops.join(UserLoop::prepare);
    }

    @Override
    public void release() {
        CompletableFuture.runAsync(this::begin, users.get(0).context()::execute).join();
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
        for (UserLoop other : users.subList(1, users.size())) {
            other.context().execute(other::start);
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
        loops.join(UserLoop::close);
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
        return loops.lag();
    }

    @Override
    public List<TcpConnection> connections() {
        return loops.connections();
    }
}
