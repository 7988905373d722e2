package io.phaseload.report;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Side;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Tally;
import io.phaseload.report.Table.Column;
import io.phaseload.report.Timeline.Bin;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Comparisons as tables: {@code changes}, {@code curves} and {@code course}. */
public final class ComparisonTables {

    private static final Column SIDE = Column.text("side");
    private static final Column PHASE = Column.text("phase");

    private final List<Comparison> comparisons;
    private final Map<String, Side> sides = new LinkedHashMap<>();
    private final List<String> phases;

    private ComparisonTables(List<Comparison> comparisons) {
        this.comparisons = comparisons;
        for (Comparison comparison : comparisons) {
            sides.putIfAbsent(comparison.a().name(), comparison.a());
            sides.putIfAbsent(comparison.b().name(), comparison.b());
        }
        this.phases =
                comparisons.stream()
                        .flatMap(comparison -> comparison.changes().stream())
                        .map(Change::phase)
                        .distinct()
                        .toList();
    }

    /**
     * Makes the tables.
     *
     * @param comparisons at least one
     * @return the tables; what is over time is of the first trial of each side
     */
    public static List<Table> of(List<Comparison> comparisons) {
        ComparisonTables tables = new ComparisonTables(comparisons);
        return List.of(tables.changes(), tables.curves(), tables.course());
    }

    private Table changes() {
        Table.Builder table =
                new Table.Builder(
                        "changes",
                        Column.text("before"),
                        Column.text("after"),
                        PHASE,
                        Column.text("operation"),
                        Column.text("figure"),
                        Column.text("unit"),
                        Column.of("value_before", "A", ""),
                        Column.of("value_after", "B", ""),
                        Column.of("change", "change", ""),
                        Column.of("low", "low", ""),
                        Column.of("high", "high", ""),
                        Column.text("change_unit"),
                        Column.of("tolerance", "tolerance", ""),
                        Column.text("word"));
        for (Comparison comparison : comparisons) {
            for (Change change : comparison.changes()) {
                Effect effect = change.effect();
                boolean relative = effect == null || effect.scale() == Scale.RELATIVE;
                table.row(
                        comparison.a().name(),
                        comparison.b().name(),
                        change.phase(),
                        change.operation() == null ? RunTables.ALL : change.operation(),
                        change.figure().key(),
                        change.figure().unit(),
                        change.before(),
                        change.after(),
                        effect == null ? null : 100 * effect.change(),
                        effect == null ? null : 100 * effect.low(),
                        effect == null ? null : 100 * effect.high(),
                        relative ? "%" : "points",
                        relative
                                ? 100 * comparison.tolerance().relative()
                                : comparison.tolerance().points(),
                        change.word().name().toLowerCase(Locale.ROOT));
            }
        }
        return table.build();
    }

    /** Response times of all operations and all trials of a side together. */
    private Table curves() {
        Table.Builder table =
                new Table.Builder(
                        "curves",
                        SIDE,
                        PHASE,
                        Column.of("percentile", "percentile", "%"),
                        Column.of("one_in", "one request in", ""),
                        Column.of("ms", "response", "ms"));
        sides.forEach(
                (name, side) -> {
                    for (String phase : phases) {
                        List<Tally> own =
                                side.trials().stream()
                                        .flatMap(trial -> trial.run().intervals().stream())
                                        .filter(interval -> interval.phase().equals(phase))
                                        .flatMap(interval -> interval.operations().stream())
                                        .toList();
                        Percentiles.curve(
                                Tally.sum(own).histogram(Kind.RESPONSE),
                                (oneIn, ms) ->
                                        table.row(
                                                name,
                                                phase,
                                                RunTables.percentile(oneIn),
                                                oneIn,
                                                ms));
                    }
                });
        return table.build();
    }

    /** Since each phase's own start, so that sides lie above each other. */
    private Table course() {
        Table.Builder table =
                new Table.Builder(
                        "course",
                        SIDE,
                        PHASE,
                        Column.of("at_s", "time since the phase's start", "s"),
                        Column.of("requests_per_second", "throughput", "rps"),
                        Column.of("failed_per_second", "failed", "rps"),
                        Column.of("p50_ms", "p50", "ms"),
                        Column.of("p95_ms", "p95", "ms"),
                        Column.of("p99_ms", "p99", "ms"),
                        Column.of("max_ms", "max", "ms"));
        sides.forEach(
                (name, side) -> {
                    List<Interval> intervals = side.trials().get(0).run().intervals();
                    for (String phase : phases) {
                        List<Bin> bins =
                                Timeline.of(
                                                intervals.stream()
                                                        .filter(one -> one.phase().equals(phase))
                                                        .toList())
                                        .bins();
                        bins.forEach(bin -> course(table, name, bins.get(0), bin));
                    }
                });
        return table.build();
    }

    private static void course(Table.Builder table, String side, Bin first, Bin bin) {
        Tally all = bin.all();
        var response = all.histogram(Kind.RESPONSE);
        table.row(
                side,
                bin.phase(),
                bin.atSeconds() - first.startSeconds(),
                all.requests() / bin.lengthSeconds(),
                all.failed() / bin.lengthSeconds(),
                Percentiles.millis(response, 50),
                Percentiles.millis(response, 95),
                Percentiles.millis(response, 99),
                Percentiles.maxMillis(response));
    }
}
