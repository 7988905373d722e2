package io.phaseload.report.tables;

import io.phaseload.plan.stream.EventStream;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.cells.Times;
import io.phaseload.result.Latency;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
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
        Table.Builder table = new Table.Builder(
                "streams",
                Column.text("phase"),
                Column.text("operation"),
                Column.text("time"),
                Column.count("samples"),
                Column.of("mean_ms", "mean", "ms"),
                Column.of("p50_ms", "p50", "ms"),
                Column.of("p95_ms", "p95", "ms"),
                Column.of("p99_ms", "p99", "ms"),
                Column.of("max_ms", "max", "ms"));
        String word = word(result);
        for (PhaseResult phase : result.phases()) {
            for (OperationResult operation : phase.operations()) {
                operation.figures().times().forEach((timing, latency) -> {
                    if (timing.section().equals(StreamTimings.SECTION) && !timing.is(Timing.Use.COUNT)) {
                        String sent = SentNames.of(result.plan(), operation.name());
                        add(table, phase.name(), sent, timing.title(word), latency);
                    }
                });
            }
        }
        return table.build();
    }

    private static void add(Table.Builder table, String phase, String operation, String time, Latency of) {
        table.row(List.of(
                phase,
                operation,
                time,
                of.samples(),
                Times.cell(of.mean()),
                Times.cell(of.p50()),
                Times.cell(of.p95()),
                Times.cell(of.p99()),
                Times.cell(of.max())));
    }
}
