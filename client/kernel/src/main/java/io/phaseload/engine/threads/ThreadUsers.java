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
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.measure.recording.Recorder;
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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The users of one phase, one thread each. A barrier holds all of them and the coordinator, so that nobody sends before
 * all threads are there; when it trips, the phase's clock starts. Users may be added later. The last one to end stops
 * the clock, and all threads stay until then.
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
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger active;
    // Guarded by this.
    private final List<Thread> threads = new ArrayList<>();
    private boolean released;

    // Empty until the users' threads are about to start.
    private volatile Optional<Deadlines> deadlines = Optional.empty();
    // Empty until then, and where there are no steps with WebSockets.
    private volatile Optional<SocketClient> sockets = Optional.empty();

    ThreadUsers(PhaseRun phase, Client client, RequestSource requests, Optional<SocketSteps> steps) {
        this.phase = phase;
        this.users = phase.mostUsers();
        this.client = client;
        this.requests = requests;
        this.steps = steps;
        this.recorder = new PhaseRecorder(phase.settings().tallies(), phase.requestLog());
        this.ready = new CountDownLatch(users);
        this.active = new AtomicInteger(users);
        this.start = new CyclicBarrier(
                users + 1, () -> guarded(() -> phase.accounting().startClock()));
    }

    /** If this fails in one thread, the others only learn that it did. */
    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            phase.control().fail(e);
            throw e;
        }
    }

    @Override
    public Optional<PoolUse> pool() {
        return client.pool();
    }

    @Override
    public Recorder recorder() {
        return recorder.sums();
    }

    @Override
    public void drain(Duration limit) {
        deadlines.ifPresent(watching -> watching.abandonAfter(limit.toNanos()));
        if (sockets.isPresent()) {
            sockets.get().abandonAfter(limit.toNanos());
        }
    }

    @Override
    public void ready() throws InterruptedException {
        Deadlines watching = watch(phase.settings().plan());
        deadlines = Optional.of(watching);
        // No lambdas, which would load the classes of WebSockets in any run.
        if (steps.isPresent()) {
            sockets = Optional.of(SocketClients.find().create(phase.settings().plan()));
        }
        try {
            startThreads(users, () -> {
                ready.countDown();
                start.await();
            });
        } catch (OutOfMemoryError e) {
            throw new NoThreadException(threads.size() + " of " + users + " threads could be started", e);
        }
        ready.await();
    }

    /** Starts the threads that are missing, each of which waits first. */
    private synchronized void startThreads(int count, ThreadWait first) {
        for (int i = threads.size(); i < count; i++) {
            startThread(i, client.newSender(deadlines.orElseThrow(), this::awaitTurn), first);
        }
    }

    /** A thread's wait for others. */
    private interface ThreadWait {
        void await() throws InterruptedException, BrokenBarrierException;
    }

    @Override
    public boolean steerable() {
        return true;
    }

    /** Waiting users look for changes by themselves, more often than any takes to come. */
    @Override
    public synchronized void changed(int count) {
        int more = Math.max(0, count - threads.size());
        if (more == 0 || active.updateAndGet(now -> now == 0 ? 0 : now + more) == 0) {
            return;
        }
        int before = threads.size();
        try {
            startThreads(count, () -> {});
        } catch (OutOfMemoryError e) {
            active.addAndGet(threads.size() - before - more);
            throw new IllegalArgumentException(
                    "users %d: expected at most %d, since no more threads can be started"
                            .formatted(count, threads.size()),
                    e);
        }
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

    private void startThread(int index, UserSender sender, ThreadWait first) {
        Thread thread = UserThreads.newThread(
                phase.settings().plan().virtualThreads(),
                "phaseload-" + phase.settings().phase().name() + "-" + (index + 1),
                () -> runUser(index, sender, first));
        thread.start();
        threads.add(thread);
    }

    @Override
    public void release() throws InterruptedException {
        try {
            start.await();
            released = true;
            if (users == 0) {
                // Another client has all of this phase.
                stopClock();
            }
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("a user's thread was interrupted", e);
        }
    }

    @Override
    public void await() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        if (!released) {
            // Not a reset: users that arrive later would wait for ever.
            all.forEach(Thread::interrupt);
        }
        all.forEach(thread -> Joining.join(thread::join));
        deadlines.ifPresent(Deadlines::close);
        if (sockets.isPresent()) {
            sockets.get().close();
        }
    }

    private void runUser(int index, UserSender sender, ThreadWait first) {
        boolean measured = index < MOST_MEASURED && !phase.settings().plan().virtualThreads();
        Optional<ThreadDelay> delay = measured
                ? Optional.of(ThreadDelay.ofThisThread(OwnTime.everyNanos(Math.min(users, MOST_MEASURED))))
                : Optional.empty();
        try (sender) {
            first.await();
            send(index, sender, new OwnTime(phase, delay.orElse(null)));
            if (active.decrementAndGet() == 0) {
                stopClock();
            }
            ended.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            // Cancelled: the coordinator was interrupted or couldn't start all threads.
            Thread.currentThread().interrupt();
        } finally {
            delay.ifPresent(ThreadDelay::close);
        }
    }

    private void stopClock() {
        try {
            guarded(() -> phase.accounting().stopClock(Optional.empty()));
        } finally {
            ended.countDown();
        }
    }

    private void send(int index, UserSender sender, OwnTime own) {
        Optional<ThreadSocket> socket = newSocket();
        try {
            new ThreadUser(phase, index, sender, requests, socket, recorder, own).run();
            if (socket.isPresent()) {
                socket.get().close();
            }
        } catch (RuntimeException | Error e) {
            // Whatever it is: the others must still be joined, and the measurements kept.
            phase.control().fail(e);
        }
    }

    private Optional<ThreadSocket> newSocket() {
        return sockets.isPresent()
                ? Optional.of(new ThreadSocket(
                        steps.orElseThrow(), client.socket(sockets.get().newSocket()), this::awaitTurn))
                : Optional.empty();
    }

    /** Don't wait beyond the phase's end. */
    private boolean awaitTurn() {
        Optional<ConnectPace> pace = phase.connectPace();
        if (pace.isEmpty()) {
            return true;
        }
        long turn = pace.get().next(System.nanoTime());
        boolean inTime = turn - phase.endNanos() < 0;
        new ArrivalWait().until(inTime ? turn : phase.endNanos(), phase.control()::stopped);
        return inTime && !phase.control().stopped();
    }
}
