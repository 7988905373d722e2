package io.phaseload.engine;

import io.phaseload.journey.JourneyData;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Sample;
import io.phaseload.measure.recording.RequestLog;
import io.phaseload.measure.recording.RequestSink;
import io.phaseload.user.Arrivals;
import io.phaseload.user.ClosedUser;
import io.phaseload.user.ConnectPace;
import io.phaseload.user.JourneyPhase;
import io.phaseload.user.PhaseSettings;
import io.phaseload.user.Throttle;
import io.phaseload.user.VirtualUser;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The shared state of one phase's users while it runs. Thread-safe.
 *
 * @param settings the phase's settings
 * @param throttle the phase's load
 * @param accounting the phase's clock and counts
 * @param connectPace the pace at which connections are opened; empty for as fast as possible
 */
public record PhaseRun(
        PhaseSettings settings,
        RunControl control,
        PhaseAccounting accounting,
        Throttle throttle,
        Optional<Arrivals> arrivals,
        Optional<JourneyPhase> journeys,
        Optional<ConnectPace> connectPace) {

    static PhaseRun of(PhaseSettings settings, RunControl control, Optional<JourneyData> data, long runStartNanos) {
        Throttle throttle = new Throttle(settings);
        Optional<Arrivals> arrivals = settings.newArrivals(throttle);
        // No lambda, which would load the classes of journeys in any run.
        Optional<JourneyPhase> journeys = data.isPresent()
                ? Optional.of(new JourneyPhase(settings.plan(), settings.phase().name(), data.get()))
                : Optional.empty();
        return new PhaseRun(
                settings,
                control,
                new PhaseAccounting(settings, throttle, arrivals, journeys, runStartNanos),
                throttle,
                arrivals,
                journeys,
                settings.newConnectPace());
    }

    /**
     * Creates one of its users, once the clock has started.
     *
     * @param index the user's, from 0
     * @param now the time
     * @param recorder takes the samples of journeys
     * @return a user that has sent nothing
     */
    public VirtualUser newUser(int index, long now, Consumer<Sample> recorder) {
        return VirtualUser.of(
                settings,
                index,
                throttle,
                startNanos(),
                now,
                control.target(),
                journeys,
                (timed, due, exchange) -> recorder.accept(sample(settings.operations() + timed, due, exchange)));
    }

    /** {@return the way of each request to the run's listener, if it wants them} */
    public Optional<RequestLog> requestLog() {
        Optional<RequestSink> sink = control.requests(settings.phase());
        return sink.isPresent()
                ? Optional.of(new RequestLog(sink.get(), this::startNanos, this::timeOf))
                : Optional.empty();
    }

    /**
     * A user has ended.
     *
     * @param user the user, which must not be used any more
     */
    public void ended(VirtualUser user) {
        if (user instanceof ClosedUser closed) {
            accounting.add(closed.time());
        }
    }

    /**
     * Counts a request that the client's own machine couldn't send.
     *
     * @param exchange its result
     * @return {@code false} for a request that was sent, which is to be recorded
     */
    public boolean countUnsent(Exchange exchange) {
        if (!exchange.unsent()) {
            return false;
        }
        accounting.addUnsent(exchange.outcome().cause().key());
        return true;
    }

    /**
     * Makes the sample of a request.
     *
     * @param operation its index in the scenario; behind the operations is what is timed as a whole
     * @param exchange its result
     * @return the sample, marked if the client was stalled meanwhile
     */
    public Sample sample(int operation, long dueNanos, Exchange exchange) {
        return sample(operation, dueNanos, exchange, Sample.OWN_UNKNOWN);
    }

    Sample sample(int operation, long dueNanos, Exchange exchange, long ownNanos) {
        boolean stalled = accounting.stalled(dueNanos, exchange.endNanos());
        return new Sample(operation, dueNanos, exchange, stalled, ownNanos);
    }

    /**
     * The time of day of a moment in the phase.
     *
     * @param nanos as {@link System#nanoTime()}
     * @return by the clock of this machine at the phase's start
     */
    public Instant timeOf(long nanos) {
        return accounting.timeOf(nanos);
    }

    /**
     * The number of a user.
     *
     * @return its number among all of the phase, from 0
     */
    public long number(int index) {
        return settings.plan().part().user(index);
    }

    /** {@return the number of users that are needed here, with those that only a change of the load brings} */
    public int mostUsers() {
        return Math.max(settings.users(), (int) settings.plan().part().count(throttle.mostUsers()));
    }

    /**
     * When the phase started, once it has.
     *
     * @return as {@link System#nanoTime()}
     */
    public long startNanos() {
        return accounting.startNanos();
    }

    /**
     * When a timed phase ends, once it has started.
     *
     * @return as {@link System#nanoTime()}; practically never in a phase that isn't timed
     */
    public long endNanos() {
        return startNanos() + settings.durationNanos();
    }
}
