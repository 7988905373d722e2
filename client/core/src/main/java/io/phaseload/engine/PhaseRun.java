package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.RunListener.Progress;
import io.phaseload.health.ClientLoad;
import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.UserConnection;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
import io.phaseload.measure.PhaseRecorder;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One phase. A barrier holds all users and the coordinator, so that no user's first request
 * precedes another's thread; when it trips, the phase's clock starts. A second one joins them and
 * stops the clock. Run once, by the coordinator's thread.
 */
final class PhaseRun {

    /** How long a stop waits for requests in flight. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);

    private final Plan plan;
    private final Phase phase;
    private final int users;
    private final AtomicBoolean stop;
    private final RunListener listener;
    private final long runStartNanos;
    private final PhaseRecorder recorder;
    private final CyclicBarrier start;
    private final CyclicBarrier end;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();

    // There while the phase's users are.
    private volatile Deadlines deadlines;

    // Written by the barriers' actions, read after the barriers.
    private Instant startedAt;
    private long startNanos;
    private long endNanos;
    private Arrivals arrivals;

    // Owned by the ticker's thread, then by the coordinator.
    private long lastTickNanos;
    private long sentSoFar;
    private long failedSoFar;

    PhaseRun(Plan plan, Phase phase, AtomicBoolean stop, RunListener listener, long runStartNanos) {
        this.plan = plan;
        this.phase = phase;
        this.users = phase.users(plan.threads());
        this.stop = stop;
        this.listener = listener;
        this.runStartNanos = runStartNanos;
        this.recorder = new PhaseRecorder(plan.scenario().operations().size());
        this.start = new CyclicBarrier(users + 1, this::startClock);
        this.end = new CyclicBarrier(users + 1, this::stopClock);
    }

    /** What stopped the phase from running as it should, if anything. */
    Optional<Throwable> fault() {
        return Optional.ofNullable(fault.get());
    }

    /** Stops sending; what is in flight may go on for a while. Called by any thread. */
    void drain() {
        stop.set(true);
        // Where there are none yet, the users that come will see the stop.
        Deadlines watching = deadlines;
        if (watching != null) {
            watching.abandonAfter(DRAIN_LIMIT.toNanos());
        }
    }

    PhaseMeasurement run(Connector connector, List<PreparedRequest> requests) {
        List<Thread> threads = new ArrayList<>(users);
        ClientLoad.Meter meter = new ClientLoad.Meter();
        try (Deadlines watching = watch(plan.target())) {
            deadlines = watching;
            startThreads(threads, connector, requests);
            if (fault.get() == null) {
                meter = new ClientLoad.Meter();
                awaitUsers();
            }
            if (fault.get() != null) {
                // Not a reset: it would hold those that come to the barrier later.
                threads.forEach(Thread::interrupt);
            }
            threads.forEach(Joining::join);
        } catch (OutOfMemoryError e) {
            noThread("no thread to watch the deadlines", e);
        }
        if (startedAt == null) {
            return notStarted(reason());
        }
        if (endNanos == 0) {
            stopClock();
        }
        ClientLoad client = meter.stop();
        Duration wall = Duration.ofNanos(endNanos - startNanos);
        // A last tick may have come just after the last user's end.
        nextInterval(Math.max(wall.toNanos(), lastTickNanos));
        PhaseMeasurement measured = measured(wall, client);
        tell(heard -> heard.phaseFinished(phase, wall));
        return measured;
    }

    private static Deadlines watch(Target target) {
        long connect = target.connectTimeout().toNanos();
        return new Deadlines(Math.min(connect, target.responseTimeout().toNanos()));
    }

    /** An {@link OutOfMemoryError} is the JVM's word for a limit of the system on threads, too. */
    private void noThread(String what, OutOfMemoryError why) {
        fail(new IllegalStateException(what + ": " + why.getMessage(), why));
    }

    private void startThreads(
            List<Thread> threads, Connector connector, List<PreparedRequest> requests) {
        try {
            for (int i = 0; i < users; i++) {
                UserConnection connection = new UserConnection(connector, deadlines);
                User user = new User(i, connection, requests, recorder, stop);
                int index = i;
                Thread thread =
                        UserThreads.newThread(
                                plan.virtualThreads(),
                                "phaseload-" + phase.name() + "-" + (i + 1),
                                () -> runUser(user, index, connection));
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError e) {
            noThread(threads.size() + " of " + users + " threads could be started", e);
        }
    }

    /** Returns when all users have ended, or this thread is interrupted. */
    private void awaitUsers() {
        try {
            start.await();
            tell(heard -> heard.phaseStarted(phase, users));
            try (Ticker ticker = new Ticker(startNanos, this::reportProgress)) {
                end.await();
            }
        } catch (InterruptedException e) {
            // The barrier is broken now, and users end without it.
            drain();
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException e) {
            fail(e);
        } catch (OutOfMemoryError e) {
            noThread("no thread to take the intervals", e);
        }
    }

    private void runUser(User user, int index, UserConnection connection) {
        try (connection) {
            start.await();
            send(user, index);
            end.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            // Called off: the coordinator was interrupted or couldn't start all threads.
            Thread.currentThread().interrupt();
        }
    }

    private void send(User user, int index) {
        try {
            if (phase.load() instanceof Load.Closed closed) {
                long begin = closed.ramp().toNanos() * index / users;
                SplittableRandom random =
                        new SplittableRandom(plan.seed() + phase.name().hashCode() * 31L + index);
                user.iterate(
                        closed,
                        random,
                        iterations(),
                        startNanos + begin,
                        startNanos + durationNanos());
            } else {
                user.serve(arrivals);
                if (phase.length() instanceof PhaseLength.Lasting) {
                    // Else the last gap would be missing from the time that the rate is made of.
                    Waiting.until(startNanos + durationNanos(), stop);
                }
            }
        } catch (RuntimeException | Error e) {
            // Whatever it is, the others must still be joined and what was measured be kept.
            fail(e);
        }
    }

    private void fail(Throwable why) {
        fault.compareAndSet(null, why);
        drain();
    }

    private void tell(Consumer<RunListener> call) {
        try {
            call.accept(listener);
        } catch (RuntimeException | Error e) {
            // Whatever it is, users must still be joined and what was measured be kept.
            fail(e);
        }
    }

    private void startClock() {
        startedAt = Instant.now();
        startNanos = System.nanoTime();
        if (phase.load() instanceof Load.Open open) {
            arrivals = arrivals(open, startNanos);
        }
    }

    private Arrivals arrivals(Load.Open open, long start) {
        long most = phase.length() instanceof PhaseLength.Iterations ? asked() : Long.MAX_VALUE;
        return new Arrivals(open, start, durationNanos(), most);
    }

    private void stopClock() {
        endNanos = System.nanoTime();
    }

    private void reportProgress(long elapsedNanos) {
        double seconds = (elapsedNanos - lastTickNanos) / 1e9;
        Tally interval = Tally.sum(nextInterval(elapsedNanos));
        sentSoFar += interval.requests();
        failedSoFar += interval.failed();
        long settled = sentSoFar + (arrivals == null ? 0 : arrivals.dropped());
        double done =
                phase.length() instanceof PhaseLength.Lasting
                        ? (double) elapsedNanos / durationNanos()
                        : (double) settled / asked();
        Progress progress =
                new Progress(
                        phase,
                        Math.min(1, done),
                        Duration.ofNanos(elapsedNanos),
                        interval.requests() / seconds,
                        Duration.ofNanos(
                                interval.histogram(Kind.RESPONSE).getValueAtPercentile(99)),
                        failedSoFar);
        tell(heard -> heard.progress(progress));
    }

    private List<Tally> nextInterval(long elapsedNanos) {
        Interval interval =
                new Interval(
                        phase.name(),
                        Duration.ofNanos(startNanos - runStartNanos + lastTickNanos),
                        Duration.ofNanos(elapsedNanos - lastTickNanos),
                        recorder.nextInterval());
        lastTickNanos = elapsedNanos;
        tell(heard -> heard.interval(interval));
        return interval.operations();
    }

    private long iterations() {
        return phase.length() instanceof PhaseLength.Iterations counted
                ? counted.perUser()
                : Long.MAX_VALUE;
    }

    private long durationNanos() {
        return phase.length() instanceof PhaseLength.Lasting timed
                ? timed.duration().toNanos()
                : Long.MAX_VALUE / 2;
    }

    private PhaseMeasurement measured(Duration wall, ClientLoad client) {
        List<Tally> operations = recorder.totals();
        long sent = operations.stream().mapToLong(Tally::requests).sum();
        Map<String, Long> notSent = notSent(sent);
        return new PhaseMeasurement(
                phase,
                users,
                Optional.of(startedAt),
                wall,
                sent + notSent.values().stream().mapToLong(Long::longValue).sum(),
                notSent,
                operations,
                client);
    }

    private Map<String, Long> notSent(long sent) {
        if (arrivals != null) {
            return arrivals.notSent(stop.get() ? reason() : "queued at the phase's end", sent);
        }
        boolean all = phase.length() instanceof PhaseLength.Lasting || asked() == sent;
        return all ? Map.of() : Map.of(reason(), asked() - sent);
    }

    private String reason() {
        return fault.get() == null ? "interrupted" : "client fault";
    }

    /** What is measured of a phase that the run doesn't come to. */
    PhaseMeasurement notStarted(String reason) {
        Map<String, Long> notSent = Map.of();
        if (phase.load() instanceof Load.Open open) {
            notSent = arrivals(open, 0).notSent(reason, 0);
        } else if (asked() > 0) {
            notSent = Map.of(reason, asked());
        }
        return new PhaseMeasurement(
                phase,
                users,
                Optional.empty(),
                Duration.ZERO,
                notSent.getOrDefault(reason, 0L),
                notSent,
                plan.scenario().operations().stream().map(operation -> new Tally()).toList(),
                ClientLoad.NONE);
    }

    /** How many requests a phase by iterations asks for; 0 for one by time. */
    private long asked() {
        return phase.length() instanceof PhaseLength.Iterations counted
                ? users * counted.perUser() * plan.scenario().operations().size()
                : 0;
    }
}
