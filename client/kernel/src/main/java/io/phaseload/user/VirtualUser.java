package io.phaseload.user;

import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.Load;
import io.phaseload.plan.Plan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The next action of one user, and its time. An engine asks {@link #next}, does that, and asks again:
 *
 * <pre>{@code
 * switch (user.next(now, stopped)) {
 *     case CLAIM -> ((OpenUser) user).take(arrivals.claim(elapsed));
 *     case WAIT -> until user.wakeNanos(), or the stop
 *     case SEND -> user.answered(ready, the result of operation user.operation())
 *     case END -> done
 * }
 * }</pre>
 *
 * <p>The next step may depend on the last response, so {@link #answered} decides it. All times are those of
 * {@link System#nanoTime()}; they are passed in and never decrease. Owned by one thread; no call allocates.
 */
public sealed interface VirtualUser permits ClosedUser, OpenUser {

    /** How long a user pauses whose request can't be written: it would spin otherwise. */
    long REFUSED_NANOS = 10_000_000;

    /** The next action of an engine for a user. */
    enum Action {
        /** Give the user an arrival: {@link OpenUser#take}. Closed users never ask for one. */
        CLAIM,
        /** Wait until {@link #wakeNanos()}, or until the run is stopped. */
        WAIT,
        /**
         * Send {@link #operation()} with the values of {@link #session()}, then say {@link #answered}, {@link #refused}
         * or {@link #unsent}.
         */
        SEND,
        /** Nothing: the user has ended. */
        END
    }

    /**
     * The next action. Must not be called while a request is in flight.
     *
     * @param now the time
     * @param stopped true if no more requests are to be sent
     */
    Action next(long now, boolean stopped);

    /** {@return the requests of its iterations: for the user alone} */
    Course course();

    /**
     * Which operation to send; known after {@link Action#SEND}.
     *
     * @return its index in the scenario
     */
    default int operation() {
        return course().operation();
    }

    /**
     * The session of the operation; known after {@link Action#SEND}.
     *
     * @return {@code null} if it is the same each time
     */
    default @Nullable Session session() {
        return course().session();
    }

    /**
     * The place of the operation's request in a trace; known after {@link Action#SEND}. To be called once a request.
     *
     * @return {@code null} if it isn't sent as part of one
     */
    default @Nullable TraceContext trace() {
        return course().trace();
    }

    /**
     * When to ask again; known after {@link Action#WAIT}.
     *
     * @return not after the phase's end, unless the user is in an iteration
     */
    long wakeNanos();

    /**
     * When the request is due, whose response has begun.
     *
     * @param readyNanos the time when its connection was ready for it
     * @param fresh true if the connection was made for it
     * @return the place where its times begin, as {@link #answered} will return it
     */
    long dueNanos(long readyNanos, boolean fresh);

    /**
     * The request was sent and has ended.
     *
     * @param readyNanos the time when its connection was ready for it
     * @param exchange its result
     * @return the time when the request was due: where its response time begins
     */
    long answered(long readyNanos, Exchange exchange);

    /**
     * The request can't be written with the values that it is to have, so that nothing is sent. The user goes on after
     * a while.
     *
     * @param now the time
     */
    void refused(long now);

    /**
     * Whether the user was free before its request was due, so that the client's timer alone made it late; to be asked
     * before {@link #answered}.
     *
     * @return {@code false} if nothing was planned, or if the user was still busy
     */
    boolean waited();

    /** The request wasn't sent, since no connection is to be opened any more: the user ends. */
    void unsent();

    /**
     * A user of a phase.
     *
     * @param settings the phase's
     * @param user its index, from 0
     * @param throttle the phase's load
     * @param startNanos the phase's start
     * @param now the time
     * @param target true if the run's target can be reached
     * @param journeys the journeys of this phase, if it has any
     * @param recording takes what is timed as a whole
     * @return a user that has sent nothing
     */
    static VirtualUser of(
            PhaseSettings settings,
            int user,
            Throttle throttle,
            long startNanos,
            long now,
            Reachability target,
            Optional<JourneyPhase> journeys,
            JourneyPhase.Recording recording) {
        Plan plan = settings.plan();
        boolean open = settings.phase().load() instanceof Load.Open;
        double traced = plan.target().details().tracedPercent();
        Traces traces = traced > 0 ? new Traces(plan.seed(), settings.phase().name(), open, traced) : null;
        Course course = journeys.isPresent()
                ? journeys.get()
                        .newCourse(plan.part().user(user), settings.random(user).split(), recording, traces)
                : new FixedCourse(plan.scenario().order(), open, traces);
        return settings.phase().load() instanceof Load.Closed closed
                ? new ClosedUser(settings, closed, throttle, user, startNanos, now, target, course)
                : new OpenUser(settings, throttle, startNanos, target, course);
    }
}
