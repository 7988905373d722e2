package io.phaseload.report.text;

import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How often one operation failed in one way in one phase.
 *
 * @param cause the way, such as {@code http 503}
 * @param phase the phase's name
 * @param operation the operation's name
 * @param count how often: at least 1
 * @param percent of all requests of the run, 0 to 100
 * @param first what the first of them said; empty if that is no more than the cause
 */
public record FailureCount(
        String cause, String phase, String operation, long count, double percent, String first) {

    /**
     * All failures of a run.
     *
     * @param result of the run
     * @return by cause, and within a cause by phase and operation in the plan's order
     */
    public static List<FailureCount> of(Result result) {
        List<FailureCount> all = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            for (OperationResult operation : phase.operations()) {
                Figures figures = operation.figures();
                figures.failures()
                        .forEach(
                                (cause, count) ->
                                        all.add(
                                                new FailureCount(
                                                        cause,
                                                        phase.name(),
                                                        operation.name(),
                                                        count,
                                                        100.0 * count / result.totals().requests(),
                                                        figures.failureDetails()
                                                                .getOrDefault(cause, ""))));
            }
        }
        all.sort(Comparator.comparing(FailureCount::cause));
        return all;
    }
}
