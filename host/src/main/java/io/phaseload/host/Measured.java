package io.phaseload.host;

import java.util.List;
import java.util.Optional;

/**
 * The measurements of a process by itself: its lateness, and the state of its connections and their pool.
 *
 * @param stalledNanos the total time of its stalls
 * @param longestNanos the longest delay since the last sample
 * @param lateLoopNanos the total lateness of its latest event loop; empty if it has none
 * @param connections some of those that are open; none if they don't report
 * @param pool the state of the pool that its users share; empty if they share none
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
