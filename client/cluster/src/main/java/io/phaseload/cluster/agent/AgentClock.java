package io.phaseload.cluster.agent;

import io.phaseload.cluster.clock.ClockExchange;

/**
 * The clock that an agent shows to others. Agents in one process can show clocks that differ, as those of machines do.
 *
 * @param ahead by how many nanoseconds it is ahead of {@link System#nanoTime()}
 */
record AgentClock(long ahead) {

    long now() {
        return shown(System.nanoTime());
    }

    /** A time of {@link System#nanoTime()}, as it is shown. */
    long shown(long nanos) {
        return nanos + ahead;
    }

    /** An exchange that this agent began at a time of {@link System#nanoTime()}, as it is shown. */
    ClockExchange shown(ClockExchange own) {
        return new ClockExchange(shown(own.sent()), own.received(), own.answered(), shown(own.returned()));
    }

    /** A time that is shown, as {@link System#nanoTime()}. */
    long nanos(long shown) {
        return shown - ahead;
    }
}
