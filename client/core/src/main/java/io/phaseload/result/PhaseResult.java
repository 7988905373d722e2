package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.PlanDocument;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What was measured in one phase.
 *
 * @param name the phase's
 * @param threads how many users ran it
 * @param startedAt when they were released, or {@code null} if the run never reached it
 * @param asked requests that the plan asked for: sent + not sent
 * @param notSent how many weren't sent, by reason
 * @param figures of all its operations together
 * @param operations the figures of each
 * @param client what happened to the client itself
 * @param server what the target reported about itself, or {@code null} if it wasn't asked
 */
public record PhaseResult(
        String name,
        int threads,
        Instant startedAt,
        long asked,
        Map<String, Long> notSent,
        @JsonUnwrapped Figures figures,
        List<OperationResult> operations,
        ClientUse client,
        ServerUse server) {

    /**
     * What was measured of one operation in one phase.
     *
     * @param name the operation's
     * @param figures its figures
     */
    public record OperationResult(String name, @JsonUnwrapped Figures figures) {}

    static PhaseResult of(PhaseMeasurement measured, List<Operation> operations) {
        List<String> names = PlanDocument.names(operations);
        List<OperationResult> results =
                IntStream.range(0, operations.size())
                        .mapToObj(
                                i ->
                                        new OperationResult(
                                                names.get(i),
                                                Figures.of(
                                                        measured.operations().get(i),
                                                        measured.wall())))
                        .toList();
        Tally all = Tally.sum(measured.operations());
        return new PhaseResult(
                measured.phase().name(),
                measured.users(),
                measured.startedAt().orElse(null),
                measured.asked(),
                measured.notSent(),
                Figures.of(all, measured.wall()),
                results,
                ClientUse.of(
                        measured.client(),
                        all.histogram(Kind.STALLED).getTotalCount(),
                        Judgement.tail(all)),
                null);
    }

    PhaseResult with(ServerUse told) {
        return new PhaseResult(
                name, threads, startedAt, asked, notSent, figures, operations, client, told);
    }
}
