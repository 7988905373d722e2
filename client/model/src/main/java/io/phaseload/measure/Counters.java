package io.phaseload.measure;

import io.phaseload.timing.InstanceState;
import java.util.Map;

/**
 * The counts of a tally that no histogram holds.
 *
 * @param responses complete responses, of any status
 * @param censored requests whose time is a lower bound, because they ran into a timeout
 * @param bytesReceived bytes of responses, header and body
 * @param reconnects requests that went over a new connection because the server had closed the kept one
 * @param resent the number of times that requests were sent again: again, since it isn't known whether the server had
 *     read it, or after a redirect or a challenge. A server may have counted up to as many more
 * @param statuses complete responses by status; empty in results of earlier versions
 * @param instances responses by what they said about the instance that answered; those that said nothing aren't counted
 */
public record Counters(
        long responses,
        long censored,
        long bytesReceived,
        long reconnects,
        long resent,
        Map<Integer, Long> statuses,
        Map<InstanceState, Long> instances) {}
