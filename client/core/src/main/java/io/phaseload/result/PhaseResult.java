package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.phaseload.measure.KeptRequest;
import io.phaseload.result.host.ClientUse;
import io.phaseload.result.host.ServerUse;
import io.phaseload.result.host.Spread;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The measurements of one phase.
 *
 * @param name the phase's
 * @param threads the number of users that ran it
 * @param startedAt the time when they were released; empty if the run never reached it
 * @param asked requests that the plan asked for: sent + not sent
 * @param notSent the number of unsent requests, by reason
 * @param figures the figures of all its operations together
 * @param operations the figures of each
 * @param journeys the figures of each journey, then of each group of its steps, in which a request is a whole journey
 *     or group; none without journeys
 * @param client the figures of the client itself
 * @param server the target's own figures; empty if they weren't read
 * @param segments the parts between changes of its load; none if it wasn't changed
 */
public record PhaseResult(
        String name,
        int threads,
        Optional<Instant> startedAt,
        long asked,
        Map<String, Long> notSent,
        @JsonUnwrapped Figures figures,
        List<OperationResult> operations,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<OperationResult> journeys,
        ClientUse client,
        Optional<ServerUse> server,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SegmentResult> segments) {

    /**
     * The measurements of a part of a phase between two changes of its load.
     *
     * @param fromMs its beginning, since the phase's start
     * @param load its rate such as {@code 100/s}, its number of users, or {@code paused}; several if the client was too
     *     busy to tell their requests apart
     * @param figures of the requests that ended in it
     */
    public record SegmentResult(double fromMs, String load, @JsonUnwrapped Figures figures) {}

    /**
     * The measurements of one operation in one phase.
     *
     * @param name the operation's
     * @param figures its figures
     * @param slowestRequests the slowest that succeeded, at most 10, the slowest first; empty for what is no request,
     *     and in results of earlier versions
     * @param failedRequests the first that failed with each cause, at most 3 of each, by cause and time; empty for the
     *     same
     */
    public record OperationResult(
            String name,
            @JsonUnwrapped Figures figures,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeptRequest> slowestRequests,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeptRequest> failedRequests) {}

    PhaseResult with(Map<String, Spread> clientFigures, Optional<ServerUse> told) {
        return new PhaseResult(
                name,
                threads,
                startedAt,
                asked,
                notSent,
                figures,
                operations,
                journeys,
                client.with(clientFigures),
                told,
                segments);
    }
}
