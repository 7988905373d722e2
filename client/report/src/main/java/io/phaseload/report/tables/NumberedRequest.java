package io.phaseload.report.tables;

import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.KeptRequest.RequestTimes;
import io.phaseload.measure.TraceContext;
import io.phaseload.report.cells.LinkedText;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kept request with its number in a result, by which {@code phaseload repro} finds it.
 *
 * @param number from 1, in the order of {@code result.json}
 * @param operation the name in the result
 */
public record NumberedRequest(int number, String phase, String operation, KeptRequest request) {

    /** {@return all kept requests of a result, in order} */
    public static List<NumberedRequest> all(Result result) {
        List<NumberedRequest> all = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            for (OperationResult of : phase.operations()) {
                Stream.concat(of.slowestRequests().stream(), of.failedRequests().stream())
                        .forEach(kept -> all.add(new NumberedRequest(all.size() + 1, phase.name(), of.name(), kept)));
            }
        }
        return all;
    }

    /** {@return true if it failed} */
    public boolean failed() {
        return request.cause().isPresent();
    }

    RequestTimes times() {
        return request.times();
    }

    /** The id of its trace, with the address where the result's plan has one; {@code null} without a trace. */
    @Nullable Object trace(Result result) {
        Optional<String> id = request.trace().map(TraceContext::traceId);
        return id.isEmpty()
                ? null
                : result.plan()
                        .target()
                        .details()
                        .url(id.get())
                        .<Object>map(url -> new LinkedText(id.get(), url))
                        .orElse(id.get());
    }

    /** The headers that were kept of its response, as lines; {@code null} without any. */
    @Nullable String headers() {
        return request.headers().isEmpty()
                ? null
                : String.join(
                        "; ",
                        request.headers().entrySet().stream()
                                .map(header -> header.getKey() + ": " + header.getValue())
                                .toList());
    }
}
