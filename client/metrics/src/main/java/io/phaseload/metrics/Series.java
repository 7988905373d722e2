package io.phaseload.metrics;

import java.util.Map;

/**
 * The figures of an operation in a phase, since the phase's start.
 *
 * @param phase the phase's name
 * @param operation its name in results; of a journey or a group, that one's
 * @param requests the requests that ended; 0 of a journey
 * @param failures failed ones by cause
 * @param response times from when a request was due
 * @param service times from when it was sent
 */
record Series(
        String phase,
        String operation,
        long requests,
        Map<String, Long> failures,
        Distribution response,
        Distribution service) {}
