package io.phaseload.verdict.rules;

import java.time.Duration;

/**
 * The requests of an open phase: how many were due, and how many were late or not sent.
 *
 * @param intended how many were due
 * @param notSent how many of them weren't sent, since nobody was free for them
 * @param users how many users there were
 * @param busy the part of the users' time in which they connected or waited for responses
 * @param meanSlip how late requests were sent
 * @param p99Slip the same of the latest 1 %
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
     * The part that wasn't sent.
     *
     * @return 0 to 1
     */
    double missing() {
        return intended == 0 ? 0 : (double) notSent / intended;
    }
}
