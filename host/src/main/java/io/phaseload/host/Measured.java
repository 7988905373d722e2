package io.phaseload.host;

import java.util.List;
import java.util.Optional;

/**
 * What a process measured itself: how late it was with what it had to do at a given time, and how its connections and
 * their pool are.
 *
 * @param stalledNanos how long it stood still since some beginning
 * @param longestNanos the longest delay since the last sample
 * @param lateLoopNanos how late its latest event loop was since the beginning; empty if it has none
 * @param connections some of those that are open; none if they don't tell
 * @param pool what the pool that its users share held; empty if they share none
 */
public record Measured(
        long stalledNanos,
        long longestNanos,
        Optional<Long> lateLoopNanos,
        List<TcpConnection> connections,
        Optional<PoolUse> pool) {

    /** Keeps the connections from being changed. */
    public Measured {
        connections = List.copyOf(connections);
    }
}
