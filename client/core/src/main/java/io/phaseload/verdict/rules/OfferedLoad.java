package io.phaseload.verdict.rules;

import java.time.Duration;

/**
 * The requests of an open phase: how many were due, and how many were late or not sent.
 *
 * @param notSent the number of them that weren't sent, since no user was free
 * @param busy the share of the users that connected or waited for responses at the times when requests were late; where
 *     those aren't known, of all users' time
 * @param meanSlip the mean delay of requests
 * @param p99Slip the 99th percentile of the delay
 * @param meanResponse from a request's intended start to its end
 */
public record OfferedLoad(
        long intended,
        long notSent,
        int users,
        double busy,
        Duration meanSlip,
        Duration p99Slip,
        Duration meanResponse) {

    /**
     * The share that wasn't sent.
     *
     * @return 0 to 1
     */
    double missing() {
        return intended == 0 ? 0 : (double) notSent / intended;
    }
}
