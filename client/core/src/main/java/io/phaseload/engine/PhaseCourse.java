package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.RunListener.Progress;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.HealthMeter;
import io.phaseload.health.Span;
import io.phaseload.health.UsersTime;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The course of one phase, whatever its users are: its clock, its intervals, its listener, and the
 * books of what was asked for and what was sent. Run once, by the coordinator's thread; what else
 * may be called by others says so.
 */
public final class PhaseCourse {

    /** How long a stop waits for requests in flight. */
    /** How long requests in flight may go on after a stop. */
    public static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);

    private final Plan plan;
    private final Phase phase;
    private final int users;
    private final AtomicBoolean stop;
    private final RunListener listener;
    private final long runStartNanos;
    private final Reachability reachability;
    private final List<Span> stalled = new ArrayList<>();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private volatile PhaseUsers running;

    // Written by begin() and end(), which happen before the coordinator and the users go on.
    private Instant startedAt;
    private long startNanos;
    private long endNanos;
    private Arrivals arrivals;
    private ConnectPace connectPace;
    private HealthMeter health;
    private ClientHealth client;
    private final List<UserTime> ended = new ArrayList<>();

    // Owned by the ticker's thread, then by the coordinator.
    private long lastTickNanos;
    private long sentSoFar;
    private long failedSoFar;

    PhaseCourse(
            Plan plan,
            Phase phase,
            AtomicBoolean stop,
            RunListener listener,
            Reachability reachability,
            long runStartNanos) {
        this.plan = plan;
        this.phase = phase;
        this.users = phase.users(plan.threads());
        this.stop = stop;
        this.listener = listener;
        this.reachability = reachability;
        this.runStartNanos = runStartNanos;
    }

    /** A wait for the phase's end. */
    @FunctionalInterface
    public interface Wait {

        /**
         * Returns when all users have ended.
         *
         * @throws InterruptedException if the calling thread was interrupted
         * @throws BrokenBarrierException if the wait was called off
         */
        void await() throws InterruptedException, BrokenBarrierException;
    }

    /**
     * The whole plan.
     *
     * @return the plan
     */
    public Plan plan() {
        return plan;
    }

    /**
     * The phase.
     *
     * @return one of the plan's
     */
    public Phase phase() {
        return phase;
    }

    /**
     * How many users run it.
     *
     * @return 1 or more
     */
    public int users() {
        return users;
    }

    /**
     * Whether no more requests are to be sent. May be called by any thread.
     *
     * @return {@code true} from the run's stop on
     */
    public boolean stopped() {
        return stop.get();
    }

    AtomicBoolean stop() {
        return stop;
    }

    /**
     * How many iterations each user runs.
     *
     * @return practically endless in a phase by time
     */
    public long iterations() {
        return phase.length() instanceof PhaseLength.Iterations counted
                ? counted.perUser()
                : Long.MAX_VALUE;
    }

    /**
     * How long the phase is.
     *
     * @return nanoseconds; practically endless in a phase by iterations
     */
    public long durationNanos() {
        return phase.length() instanceof PhaseLength.Lasting timed
                ? timed.duration().toNanos()
                : Long.MAX_VALUE / 2;
    }

    /**
     * When a closed phase's user begins.
     *
     * @param user its index, from 0
     * @return nanoseconds after the phase's start
     */
    public long rampNanos(int user) {
        return phase.load() instanceof Load.Closed closed
                ? closed.ramp().toNanos() * user / users
                : 0;
    }

    /**
     * A closed phase's user's own random numbers.
     *
     * @param user its index, from 0
     * @return the same sequence at each call
     */
    public SplittableRandom random(int user) {
        return new SplittableRandom(plan.seed() + phase.name().hashCode() * 31L + user);
    }

    /**
     * The phase's start; known to those that run after {@link #begin()}.
     *
     * @return as {@link System#nanoTime()}
     */
    public long startNanos() {
        return startNanos;
    }

    /**
     * What an open phase's users send; known to those that run after {@link #begin()}.
     *
     * @return {@code null} in a closed phase
     */
    public Arrivals arrivals() {
        return arrivals;
    }

    /**
     * The pace at which the phase's connections are opened; known to those that run after {@link
     * #begin()}.
     *
     * @return {@code null} for as fast as it goes
     */
    public ConnectPace connectPace() {
        return connectPace;
    }

    /**
     * When a phase by time ends; known to those that run after {@link #begin()}.
     *
     * @return as {@link System#nanoTime()}; practically never in a phase by iterations
     */
    public long endsNanos() {
        return startNanos + durationNanos();
    }

    /** Starts the phase's clock: all users are ready. */
    public void begin() {
        connectPace = plan.engine().connectRate().map(ConnectPace::new).orElse(null);
        health = new HealthMeter();
        startedAt = Instant.now();
        startNanos = System.nanoTime();
        if (phase.load() instanceof Load.Open open) {
            arrivals = arrivals(open, startNanos);
        }
    }

    /** Stops the clock: the last user has ended. Its thread is still there. */
    public void end() {
        endNanos = System.nanoTime();
        client = health.soFar(running.lag());
    }

    /**
     * Watches over the client while the phase runs; known to those that run after {@link #begin()}.
     *
     * @return it, for {@link HealthMeter#touched}
     */
    public HealthMeter health() {
        return health;
    }

    /**
     * What one of a closed phase's users does with its time.
     *
     * @return one that has done nothing, for {@link #add}
     */
    public UserTime newUserTime() {
        return new UserTime(connectPace != null);
    }

    /**
     * A closed phase's user has ended. May be called by any thread, before {@link #end()}.
     *
     * @param user what it did; not to be changed from now on
     */
    public void add(UserTime user) {
        synchronized (ended) {
            ended.add(user);
        }
    }

    /**
     * How one of its users keeps away from a target that can't be reached.
     *
     * @return one that has tried nothing
     */
    public Reachability.Backoff newBackoff() {
        // An open load goes on as planned where the target is away for a while.
        return reachability.new Backoff(phase.load() instanceof Load.Closed);
    }

    /**
     * Tells the listener that the phase has begun, and how it goes until it has ended.
     *
     * @param end waits for that
     * @throws InterruptedException if the wait throws it
     * @throws BrokenBarrierException if the wait throws it
     * @throws OutOfMemoryError if the system has no thread for it
     */
    public void watch(Wait end) throws InterruptedException, BrokenBarrierException {
        tell(heard -> heard.phaseStarted(phase, users));
        health.start();
        try (Ticker ticker = new Ticker(startNanos, this::reportProgress)) {
            end.await();
        }
    }

    /**
     * Ends the run, since the client itself can't go on; what was measured is kept. May be called
     * by any thread.
     *
     * @param why the first one is told
     */
    public void fail(Throwable why) {
        fault.compareAndSet(null, why);
        drain();
    }

    /** Stops sending; what is in flight may go on for a while. May be called by any thread. */
    public void drain() {
        stop.set(true);
        // Where there are none yet, the users that come will see the stop.
        PhaseUsers draining = running;
        if (draining != null) {
            draining.drain(DRAIN_LIMIT);
        }
    }

    /**
     * What stopped the phase from running as it should. May be called by any thread.
     *
     * @return empty if nothing has
     */
    public Optional<Throwable> fault() {
        return Optional.ofNullable(fault.get());
    }

    PhaseMeasurement run(PhaseUsers users) {
        running = users;
        users.run();
        if (startedAt == null) {
            return notStarted(reason());
        }
        if (endNanos == 0) {
            end();
        }
        health.close();
        Duration wall = Duration.ofNanos(endNanos - startNanos);
        // A last tick may have come just after the last user's end.
        nextInterval(Math.max(wall.toNanos(), lastTickNanos));
        PhaseMeasurement measured = measured(wall);
        tell(heard -> heard.phaseFinished(phase, wall));
        return measured;
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
                ClientHealth.NONE);
    }

    private void tell(Consumer<RunListener> call) {
        try {
            call.accept(listener);
        } catch (RuntimeException | Error e) {
            // Whatever it is, users must still be joined and what was measured be kept.
            fail(e);
        }
    }

    private Arrivals arrivals(Load.Open open, long start) {
        long most = phase.length() instanceof PhaseLength.Iterations ? asked() : Long.MAX_VALUE;
        return new Arrivals(open, start, durationNanos(), most);
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
        if (reachability.givesUp(System.nanoTime())) {
            drain();
        }
    }

    private List<Tally> nextInterval(long elapsedNanos) {
        Interval interval =
                new Interval(
                        phase.name(),
                        Duration.ofNanos(startNanos - runStartNanos + lastTickNanos),
                        Duration.ofNanos(elapsedNanos - lastTickNanos),
                        running.recorder().nextInterval());
        lastTickNanos = elapsedNanos;
        StalledTime.add(interval, stalled);
        tell(heard -> heard.interval(interval));
        return interval.operations();
    }

    private PhaseMeasurement measured(Duration wall) {
        List<Tally> operations = running.recorder().totals();
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
                client.with(usersTime(), stalled));
    }

    private Optional<UsersTime> usersTime() {
        synchronized (ended) {
            return ended.stream()
                    .map(user -> user.over(startNanos, endNanos))
                    .reduce(UsersTime::plus);
        }
    }

    private Map<String, Long> notSent(long sent) {
        if (arrivals != null) {
            return arrivals.notSent(stop.get() ? reason() : "queued at the phase's end", sent);
        }
        boolean all = phase.length() instanceof PhaseLength.Lasting || asked() == sent;
        return all ? Map.of() : Map.of(reason(), asked() - sent);
    }

    private String reason() {
        return fault.get() == null ? reachability.reasonToStop() : "client fault";
    }

    /** How many requests a phase by iterations asks for; 0 for one by time. */
    private long asked() {
        return phase.length() instanceof PhaseLength.Iterations counted
                ? users * counted.perUser() * plan.scenario().operations().size()
                : 0;
    }
}
