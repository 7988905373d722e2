package io.phaseload.capacity;

import java.util.Optional;

/**
 * The result of a search so far.
 *
 * @param load the most load that holds: the median of what is likely
 * @param low the lower end of its 95 % interval
 * @param high the upper end; empty if no load broke, or the client was the limit
 * @param atLeast true if the client was the limit, or no load broke, so that the service may take more
 * @param confirmed the load that a longer step confirmed, if one did
 * @param at the number of the step with the most load that held
 * @param beyond the number of the step with the least load that didn't hold, if there is one
 */
public record Answer(
        double load,
        double low,
        Optional<Double> high,
        boolean atLeast,
        Optional<Double> confirmed,
        int at,
        Optional<Integer> beyond) {}
