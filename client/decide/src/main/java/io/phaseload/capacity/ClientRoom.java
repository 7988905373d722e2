package io.phaseload.capacity;

import java.util.Optional;

/**
 * The client in a step, and the room that it had left.
 *
 * @param users the number of users
 * @param cpuPercent its CPU time as a percentage of the machine's CPU, 0 to 100; of agents, the mean
 * @param slipP99Ms the 99th percentile of the delay with which requests were sent, in ms; empty without enough requests
 * @param ceiling the load at which its CPU or its users would be the limit, by proportion; empty if neither is known
 * @param limit the first limit of the ceiling: {@code CPU} or {@code users}
 * @param doubt the finding that blames the client, if there is one
 */
public record ClientRoom(
        int users,
        double cpuPercent,
        Optional<Double> slipP99Ms,
        Optional<Double> ceiling,
        String limit,
        Optional<String> doubt) {}
