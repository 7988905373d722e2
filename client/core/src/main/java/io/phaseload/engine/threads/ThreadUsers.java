package io.phaseload.engine.threads;

import io.phaseload.engine.Joining;
import io.phaseload.engine.NoThreadException;
import io.phaseload.engine.OwnTime;
import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.PhaseUsers;
import io.phaseload.health.ThreadDelay;
import io.phaseload.host.PoolUse;
import io.phaseload.http.Deadlines;
import io.phaseload.http.UserSender;
import io.phaseload.http.client.Client;
import io.phaseload.http.request.RequestSource;
import io.phaseload.http.socket.SocketClient;
import io.phaseload.http.socket.SocketClients;
import io.phaseload.http.socket.SocketSteps;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.PhaseRecorder;
import io.phaseload.measure.Recorder;
import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.user.ConnectPace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/**
 * The users of one phase, one thread each. A barrier holds all of them and the coordinator, so that nobody sends before
 * all threads are there; when it trips, the phase's clock starts. A second barrier waits for all users and stops the
 * clock.
 */
final class ThreadUsers implements PhaseUsers {

    /** Users whose own delays are measured: each has a file open. */
    private static final int MOST_MEASURED = 64;

    private final PhaseRun phase;
    private final int users;
    private final Client client;
    private final RequestSource requests;
    private final Optional<SocketSteps> steps;
    private final PhaseRecorder recorder;
    private final CountDownLatch ready;
    private final CyclicBarrier start;
    private final CyclicBarrier end;
    private final List<Thread> threads = new ArrayList<>();
    private boolean joined;

    // Empty until the users' threads are about to start.
    private volatile Optional<Deadlines> deadlines = Optional.empty();
    // Empty until then, and where there are no steps with WebSockets.
    private volatile Optional<SocketClient> sockets = Optional.empty();

    ThreadUsers(PhaseRun phase, Client client, RequestSource requests, Optional<SocketSteps> steps) {
        this.phase = phase;
        this.users = phase.settings().users();
        this.client = client;
        this.requests = requests;
        this.steps = steps;
        this.recorder = new PhaseRecorder(phase.settings().tallies(), phase.requestLog());
        this.ready = new CountDownLatch(users);
        this.start = newBarrier(() -> phase.accounting().startClock());
        this.end = newBarrier(() -> phase.accounting().stopClock(Optional.empty()));
    }

    /** For all users and the coordinator. If it breaks, only one of them learns why. */
    private CyclicBarrier newBarrier(Runnable action) {
        return new CyclicBarrier(users + 1, () -> {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                phase.control().fail(e);
                throw e;
            }
        });
    }

    @Override
    public Optional<PoolUse> pool() {
        return client.pool();
    }

    @Override
    public Recorder recorder() {
        return recorder;
    }

    @Override
    public void drain(Duration limit) {
        deadlines.ifPresent(watching -> watching.abandonAfter(limit.toNanos()));
        sockets.ifPresent(client -> client.abandonAfter(limit.toNanos()));
    }

    @Override
    public void ready() throws InterruptedException {
        Deadlines watching = watch(phase.settings().plan());
        deadlines = Optional.of(watching);
        sockets = steps.map(any -> SocketClients.find().create(phase.settings().plan()));
        try {
            for (int i = 0; i < users; i++) {
                startThread(i, client.newSender(watching, this::awaitTurn));
            }
        } catch (OutOfMemoryError e) {
            throw new NoThreadException(threads.size() + " of " + users + " threads could be started", e);
        }
        ready.await();
    }

    private static Deadlines watch(Plan plan) {
        long connect = plan.target().connectTimeout().toNanos();
        long shortest = Math.min(connect, plan.target().responseTimeout().toNanos());
        for (EventStream stream : plan.scenario().streams()) {
            shortest = Math.min(shortest, EventReader.shortestNanos(stream));
        }
        try {
            return new Deadlines(shortest);
        } catch (OutOfMemoryError e) {
            throw new NoThreadException("no thread to watch the deadlines", e);
        }
    }

    private void startThread(int index, UserSender sender) {
        Thread thread = UserThreads.newThread(
                phase.settings().plan().virtualThreads(),
                "phaseload-" + phase.settings().phase().name() + "-" + (index + 1),
                () -> runUser(index, sender));
        thread.start();
        threads.add(thread);
    }

    @Override
    public void release() throws InterruptedException {
        arrive(start);
    }

    @Override
    public void await() throws InterruptedException {
        arrive(end);
        joined = true;
    }

    private static void arrive(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("a user's thread was interrupted", e);
        }
    }

    @Override
    public void close() {
        // Users notice that the end barrier is broken once they have drained.
        if (!joined && !end.isBroken()) {
            // Not a reset: users that arrive later would wait for ever.
            threads.forEach(Thread::interrupt);
        }
        threads.forEach(thread -> Joining.join(thread::join));
        deadlines.ifPresent(Deadlines::close);
        sockets.ifPresent(SocketClient::close);
    }

    private void runUser(int index, UserSender sender) {
        boolean measured = index < MOST_MEASURED && !phase.settings().plan().virtualThreads();
        Optional<ThreadDelay> delay = measured
                ? Optional.of(ThreadDelay.ofThisThread(OwnTime.everyNanos(Math.min(users, MOST_MEASURED))))
                : Optional.empty();
        try (sender) {
            ready.countDown();
            start.await();
            send(index, sender, new OwnTime(phase, delay.orElse(null)));
            end.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            // Cancelled: the coordinator was interrupted or couldn't start all threads.
            Thread.currentThread().interrupt();
        } finally {
            delay.ifPresent(ThreadDelay::close);
        }
    }

    private void send(int index, UserSender sender, OwnTime own) {
        Optional<ThreadSocket> socket = newSocket();
        try {
            new ThreadUser(phase, index, sender, requests, socket, recorder, own).run();
            socket.ifPresent(ThreadSocket::close);
        } catch (RuntimeException | Error e) {
            // Whatever it is: the others must still be joined, and the measurements kept.
            phase.control().fail(e);
        }
    }

    private Optional<ThreadSocket> newSocket() {
        return sockets.map(
                from -> new ThreadSocket(steps.orElseThrow(), client.socket(from.newSocket()), this::awaitTurn));
    }

    /** Don't wait beyond the phase's end. */
    private boolean awaitTurn() {
        Optional<ConnectPace> pace = phase.connectPace();
        if (pace.isEmpty()) {
            return true;
        }
        long turn = pace.get().next(System.nanoTime());
        boolean inTime = turn - phase.endNanos() < 0;
        new ArrivalWait().until(inTime ? turn : phase.endNanos(), phase.control());
        return inTime && !phase.control().stopped();
    }
}
