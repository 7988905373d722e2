package io.phaseload.cluster;

/**
 * The clock that an agent shows to others. Agents in one process can show clocks that differ, as
 * those of machines do.
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

    /** A time that is shown, as {@link System#nanoTime()}. */
    long nanos(long shown) {
        return shown - ahead;
    }
}
