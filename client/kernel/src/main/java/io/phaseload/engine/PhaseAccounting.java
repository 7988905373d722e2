package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.HealthMeter;
import io.phaseload.health.LoopLag;
import io.phaseload.health.Span;
import io.phaseload.host.PoolUse;
import io.phaseload.host.TcpConnection;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.UsersTime;
import io.phaseload.measure.recording.Recorder;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.run.RunListener.Progress;
import io.phaseload.timing.Timing;
import io.phaseload.user.Arrivals;
import io.phaseload.user.JourneyPhase;
import io.phaseload.user.PhaseSettings;
import io.phaseload.user.Throttle;
import io.phaseload.user.UnsentReason;
import io.phaseload.user.UserTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * One phase's clock and counts: intervals, unsent requests, how users spent their time, and what happened to the
 * client. {@link #startClock()} and {@link #stopClock} are called once each, when the users are released, and when the
 * last one has ended; users may call the other public methods in between, from any thread.
 */
public final class PhaseAccounting {

    private final PhaseSettings settings;
    private final Optional<Arrivals> arrivals;
    private final Optional<JourneyPhase> journeys;
    private final long runStartNanos;
    private final HealthMeter health = new HealthMeter();
    // Guarded by itself.
    private final List<UserTime> ended = new ArrayList<>();
    // By the client's own limit.
    private final Map<String, LongAdder> unsent = new ConcurrentHashMap<>();

    // Written by startClock() and stopClock(), which happen before the coordinator and the users
    // go on.
    private Optional<Instant> startedAt = Optional.empty();
    private long startNanos;
    private long endNanos;
    // Written by the coordinator before it lets the users go.
    private long startAt = System.nanoTime();
    private Optional<ClientHealth> client = Optional.empty();

    // Owned by the ticker's thread, then by the coordinator.
    private final List<Span> stalled = new ArrayList<>();
    private final Segments segments;
    private long lastTickNanos;
    private long sentSoFar;
    private long failedSoFar;

    PhaseAccounting(
            PhaseSettings settings,
            Throttle throttle,
            Optional<Arrivals> arrivals,
            Optional<JourneyPhase> journeys,
            long runStartNanos) {
        this.settings = settings;
        this.arrivals = arrivals;
        this.journeys = journeys;
        this.runStartNanos = runStartNanos;
        this.segments = new Segments(throttle);
    }

    /** Sets when the clock is to start, at the earliest: as {@link System#nanoTime()}. */
    void startAt(long nanos) {
        startAt = nanos;
    }

    /** Starts the clock, when it is time: all users are ready, and about to send. */
    public void startClock() {
        health.begin();
        long left = startAt - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = startAt - System.nanoTime();
        }
        startedAt = Optional.of(Instant.now());
        startNanos = System.nanoTime();
    }

    /** Stops the clock: the last user has ended. Its thread is still there. */
    public void stopClock(Optional<LoopLag> lag) {
        endNanos = System.nanoTime();
        client = Optional.of(health.soFar(lag));
    }

    /**
     * When the clock was started.
     *
     * @return as {@link System#nanoTime()}
     */
    long startNanos() {
        return startNanos;
    }

    /**
     * The time of day of a moment in the phase.
     *
     * @param nanos as {@link System#nanoTime()}
     */
    Instant timeOf(long nanos) {
        return startedAt.orElseThrow().plusNanos(nanos - startNanos);
    }

    /**
     * Whether the client was stalled for a significant part of a time span; see {@link HealthMeter#stalledDuring}.
     *
     * @param from the start of the span, as {@link System#nanoTime()}
     * @param to its end, which is now
     * @return {@code true} if the client itself may have caused the delay
     */
    boolean stalled(long from, long to) {
        return health.stalledDuring(from, to);
    }

    /** The part of a time span in which the client was stalled; see {@link HealthMeter}. */
    long stalledNanos(long from, long to) {
        return health.stalledNanos(from, to);
    }

    /** A closed phase's user has ended; its time no longer changes. */
    void add(UserTime user) {
        synchronized (ended) {
            ended.add(user);
        }
    }

    /** A request wasn't sent, since the client's own machine was at a limit. */
    void addUnsent(String cause) {
        unsent.computeIfAbsent(cause, of -> new LongAdder()).increment();
    }

    /** Whether the clock was started. */
    boolean started() {
        return startedAt.isPresent();
    }

    /** Starts watching for stalls; throws OutOfMemoryError if the system has no thread for it. */
    void startWatch() {
        health.start();
    }

    /** Ends the watch for stalls, and the clock, if it was started and the users were called off before they ended. */
    void endWatch() {
        if (started() && client.isEmpty()) {
            stopClock(Optional.empty());
        }
        health.close();
    }

    /** Makes an interval of what was recorded since the last one. */
    Interval closeInterval(
            Recorder recorder,
            Optional<LoopLag> lag,
            List<TcpConnection> connections,
            Optional<PoolUse> pool,
            long elapsedNanos) {
        List<Tally> tallies = recorder.nextInterval();
        Interval interval = new Interval(
                settings.phase().name(),
                Duration.ofNanos(startNanos - runStartNanos + lastTickNanos),
                Duration.ofNanos(elapsedNanos - lastTickNanos),
                tallies.subList(0, settings.operations()),
                tallies.subList(settings.operations(), tallies.size()),
                new HostFigures(health.sinceLast(lag, connections, pool)),
                Optional.empty());
        lastTickNanos = elapsedNanos;
        StalledTime.add(interval, stalled);
        segments.add(interval, elapsedNanos, () -> recorder.soFar().subList(0, settings.operations()));
        return interval;
    }

    /** Closes the last interval, when the clock has stopped. */
    Interval closeLastInterval(Recorder recorder) {
        // A last tick may come just after the last user's end.
        return closeInterval(
                recorder,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Math.max(endNanos - startNanos, lastTickNanos));
    }

    /** The phase's progress at the end of an interval. */
    Progress progress(Interval interval) {
        Tally all = Tallies.sum(interval.operations());
        sentSoFar += all.requests();
        failedSoFar += all.failed();
        long limited = unsent.values().stream().mapToLong(LongAdder::sum).sum();
        long settled =
                sentSoFar + limited + (arrivals.isPresent() ? arrivals.get().dropped() : 0);
        double done = settings.timed()
                ? (double) lastTickNanos / settings.durationNanos()
                : (double) settled / settings.asked();
        return new Progress(
                settings.phase(),
                Math.min(1, done),
                Duration.ofNanos(lastTickNanos),
                all.requests() / (interval.length().toNanos() / 1e9),
                Duration.ofNanos(all.histogram(Timing.RESPONSE).getValueAtPercentile(99)),
                failedSoFar);
    }

    /**
     * The measurement, once the last interval is closed.
     *
     * @param tallies the phase's: of operations, then of what is timed as a whole
     * @param sample some of its requests
     * @param reason why requests weren't sent, if some weren't
     */
    PhaseMeasurement measured(List<Tally> tallies, RequestSample sample, UnsentReason reason) {
        List<Tally> operations = tallies.subList(0, settings.operations());
        long sent = operations.stream().mapToLong(Tally::requests).sum();
        Map<String, Long> notSent =
                new LinkedHashMap<>(journeys.isPresent() ? journeys.get().notSent() : Map.of());
        unsent.forEach((cause, count) -> notSent.merge(cause, count.sum(), Long::sum));
        long settled =
                sent + sum(notSent) + (journeys.isPresent() ? journeys.get().unasked() : 0);
        // A phase that goes on until thresholds are decided asks for no more than it has sent by then.
        if (reason != UnsentReason.SKIPPED
                || settings.plan().looks(settings.phase()).isEmpty()) {
            notSent.putAll(notSent(settings, arrivals, settled, reason));
        }
        return new PhaseMeasurement(
                settings.phase(),
                settings.users(),
                startedAt,
                Duration.ofNanos(endNanos - startNanos),
                sent + sum(notSent),
                notSent,
                operations,
                tallies.subList(settings.operations(), tallies.size()),
                client.orElseThrow().with(usersTime(), stalled),
                sample,
                segments.all(lastTickNanos));
    }

    /** The measurement of a phase that the run didn't reach. */
    static PhaseMeasurement notStarted(PhaseSettings settings, UnsentReason reason) {
        Map<String, Long> notSent = notSent(settings, settings.newArrivals(new Throttle(settings)), 0, reason);
        return new PhaseMeasurement(
                settings.phase(),
                settings.users(),
                Optional.empty(),
                Duration.ZERO,
                sum(notSent),
                notSent,
                Tallies.newList(settings.operations()),
                Tallies.newList(settings.tallies() - settings.operations()),
                ClientHealth.NONE,
                RequestSample.NONE,
                List.of());
    }

    private static Map<String, Long> notSent(
            PhaseSettings settings, Optional<Arrivals> arrivals, long sent, UnsentReason reason) {
        if (arrivals.isPresent()) {
            return arrivals.get().notSent(reason.key(), sent);
        }
        boolean all = settings.timed() || settings.asked() == sent;
        return all ? Map.of() : Map.of(reason.key(), settings.asked() - sent);
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private Optional<UsersTime> usersTime() {
        synchronized (ended) {
            return ended.stream().map(user -> user.over(startNanos, endNanos)).reduce(UsersTime::plus);
        }
    }
}
