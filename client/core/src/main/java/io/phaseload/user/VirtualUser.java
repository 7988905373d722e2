package io.phaseload.user;

import io.phaseload.measure.Exchange;

/**
 * What one user does next, and when. An engine asks {@link #next}, does that, and asks again:
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
 * <p>What comes next may depend on the last response, so it is decided in {@link #answered}. All
 * times are those of {@link System#nanoTime()}; they are passed in and never decrease. Owned by one
 * thread; no call allocates.
 */
public sealed interface VirtualUser permits ClosedUser, OpenUser {

    /** What an engine is to do for a user. */
    enum Action {
        /** Give the user an arrival: {@link OpenUser#take}. Closed users never ask for one. */
        CLAIM,
        /** Wait until {@link #wakeNanos()}, or until the run is stopped. */
        WAIT,
        /** Send {@link #operation()}, then call {@link #answered} or {@link #unsent}. */
        SEND,
        /** Nothing: the user has ended. */
        END
    }

    /**
     * What to do now. Must not be called while a request is in flight.
     *
     * @param now the time
     * @param stopped whether no more requests are to be sent
     * @return what to do; the same until {@code now}, {@code stopped} or the user changes
     */
    Action next(long now, boolean stopped);

    /**
     * Which operation to send; known after {@link Action#SEND}.
     *
     * @return its index in the scenario
     */
    int operation();

    /**
     * When to ask again; known after {@link Action#WAIT}.
     *
     * @return a time not after the phase's end
     */
    long wakeNanos();

    /**
     * The request was sent and has ended.
     *
     * @param readyNanos when its connection was ready for it
     * @param exchange its result
     * @return when the request was due: where its response time begins
     */
    long answered(long readyNanos, Exchange exchange);

    /** The request wasn't sent because no more connections are to be opened: the user ends. */
    void unsent();
}
