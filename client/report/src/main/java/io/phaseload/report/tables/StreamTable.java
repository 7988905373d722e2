package io.phaseload.report.tables;

import io.phaseload.plan.stream.EventStream;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.cells.Times;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The times of events in responses that are streams. */
public final class StreamTable {

    /** From when a server sent an event to its receipt. */
    static final String DELIVERY = "delivery";

    /** The time to a model's first output. */
    static final String OUTPUT = "first output";

    private StreamTable() {}

    /** The time to the first event, by what an event is called. */
    static String first(String word) {
        return "first " + word;
    }

    /** The time between two of a stream. */
    static String gap(String word) {
        return "gap between %ss".formatted(word);
    }

    /**
     * What the events of a run are called.
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
                operation.figures().streams().ifPresent(streams -> times(streams, word)
                        .forEach((time, latency) -> add(
                                table, phase.name(), SentNames.of(result.plan(), operation.name()), time, latency)));
            }
        }
        return table.build();
    }

    private static Map<String, Latency> times(Figures.Streams streams, String word) {
        Map<String, Latency> times = new LinkedHashMap<>();
        times.put(first(word), streams.firstEvent());
        times.put(OUTPUT, streams.firstOutput());
        times.put(gap(word), streams.eventGap());
        times.put(DELIVERY, streams.eventDelivery());
        times.put("reconnect", streams.reconnect());
        times.values().removeIf(latency -> latency.samples() == 0);
        return times;
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
