package io.phaseload.report.tables;

import io.phaseload.plan.stream.EventStream;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Latency;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;

/** The times of events in responses that are streams. */
public final class StreamTable {

    private StreamTable() {}

    /**
     * The name of a run's events.
     *
     * @param result of a run
     * @return {@code token} if all that counts are tokens of a model, else {@code event}
     */
    public static String word(Result result) {
        List<EventStream> streams = result.plan().scenario().streams();
        boolean tokens = !streams.isEmpty() && streams.stream().allMatch(EventStream::ofTokens);
        return tokens ? "token" : "event";
    }

    /**
     * The times of each operation's events in each phase.
     *
     * @param result of a run
     * @return the table {@code streams}; empty without streams
     */
    public static Table of(Result result) {
        String word = word(result);
        record Timed(String phase, String operation, Timing timing, Latency of) {}
        List<Timed> all = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            for (OperationResult operation : phase.operations()) {
                String sent = SentNames.of(result.plan(), operation.name());
                operation.figures().times().forEach((timing, of) -> all.add(new Timed(phase.name(), sent, timing, of)));
            }
        }
        return new Columns<Timed>()
                .text("phase", Timed::phase)
                .text("operation", Timed::operation)
                .text("time", of -> of.timing().title(word))
                .count("samples", of -> of.of().samples())
                .times(Timed::of)
                .table(
                        "streams",
                        all.stream()
                                .filter(of -> of.timing().section().equals(StreamTimings.SECTION)
                                        && !of.timing().is(Timing.Use.COUNT)));
    }
}
