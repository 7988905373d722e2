package io.phaseload.report.tables;

import io.phaseload.ab.AbComparison;
import io.phaseload.ab.AbFigure;
import io.phaseload.ab.AbRun;
import io.phaseload.ab.Arm;
import io.phaseload.ab.FigureEffect;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A comparison of interleaved runs as tables: {@code changes} and {@code runs} for charts, {@code ab} for people. */
public final class AbTables {

    private static final double PERCENT = 100;

    /** The ratio between the ends of an interval that leaves everything open. */
    private static final double WIDE = 2.5;

    private AbTables() {}

    /**
     * Creates the tables of charts.
     *
     * @param comparison the comparison
     * @return changes as those of {@code compare}, and the runs
     */
    public static List<Table> of(AbComparison comparison) {
        return List.of(changes(comparison), runs(comparison));
    }

    /**
     * The effects, for people.
     *
     * @param comparison the comparison
     * @return the table {@code ab}; better and worse are strong
     */
    public static Table read(AbComparison comparison) {
        Table.Builder table = new Table.Builder(
                "ab",
                Column.text("figure"),
                Column.of("a", "A", ""),
                Column.of("b", "B", ""),
                Column.of("change", "change", ""),
                Column.of("interval", "interval", ""),
                Column.of("control", "A again", ""),
                Column.of("control_interval", "its interval", ""),
                Column.text("word"));
        for (FigureEffect of : comparison.judgement().effects()) {
            boolean moved = of.decides() && (of.word() == Effect.Word.WORSE || of.word() == Effect.Word.BETTER);
            table.row(
                    of.figure().key() + " " + of.figure().unit(),
                    value(of.figure(), of.a()),
                    value(of.figure(), of.b()),
                    of.effect().map(AbTables::change).orElse(null),
                    of.effect().map(AbTables::interval).orElse(null),
                    of.control().map(AbTables::change).orElse(null),
                    of.control().map(AbTables::interval).orElse(null),
                    Strong.when(moved, of.decides() ? word(of) : "only shown"));
        }
        return table.build();
    }

    /**
     * The interval of a change. That of a few blocks means nothing.
     *
     * @param effect the effect
     * @return such as {@code +1.9 to +4.4 %}, or {@code too wide}
     */
    public static String interval(Effect effect) {
        return isNarrow(effect) ? Effects.interval(effect) : "too wide";
    }

    private static boolean isNarrow(Effect effect) {
        return effect.scale() == Scale.ABSOLUTE || (1 + effect.high()) / (1 + effect.low()) < WIDE;
    }

    private static String change(Effect effect) {
        return Effects.signed(effect, effect.change());
    }

    /** As text, since each row has its own kind of figure. */
    private static String value(AbFigure figure, double value) {
        int decimals =
                switch (figure) {
                    case P50, P95, P99 -> 3;
                    case FAILED -> 2;
                    default -> 1;
                };
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /**
     * A change in words.
     *
     * @param of the effect on a figure
     * @return such as {@code worse}, or {@code regression} beyond the margin
     */
    public static String word(FigureEffect of) {
        return switch (of.word()) {
            case WORSE -> of.isRegression() ? "regression" : "worse";
            case BETTER -> "better";
            case SAME -> "same";
            case UNDECIDED -> "undecided";
        };
    }

    private static Table changes(AbComparison comparison) {
        Table.Builder table = ComparisonTables.newChanges();
        for (Arm arm : List.of(Arm.B, Arm.AGAIN)) {
            for (FigureEffect of : comparison.judgement().effects()) {
                Optional<Effect> effect = arm == Arm.B ? of.effect() : of.control();
                effect.filter(AbTables::isNarrow)
                        .ifPresent(change -> table.row(
                                Arm.A.title(),
                                arm.title(),
                                of.figure().unit(),
                                of.decides() ? "decides" : "only shown",
                                of.figure().key(),
                                of.figure().unit(),
                                of.a(),
                                arm == Arm.B ? of.b() : null,
                                PERCENT * change.change(),
                                PERCENT * change.low(),
                                PERCENT * change.high(),
                                of.figure().scale() == Scale.RELATIVE ? "%" : "points",
                                PERCENT * of.margin(),
                                of.with(change).word().name().toLowerCase(Locale.ROOT)));
            }
        }
        return table.build();
    }

    /** A row for each run and time; runs that don't count are in block 0. */
    private static Table runs(AbComparison comparison) {
        Table.Builder table = new Table.Builder(
                "runs",
                Column.of("minutes", "start", "min"),
                Column.count("block"),
                Column.text("arm"),
                Column.text("figure"),
                Column.of("value", "value", "ms"),
                Column.text("folder"));
        for (AbRun run : comparison.runs()) {
            double minutes =
                    Duration.between(comparison.startedAt(), run.startedAt()).toMillis() / 6e4;
            for (AbFigure figure : List.of(AbFigure.P50, AbFigure.P95, AbFigure.P99)) {
                run.value(figure)
                        .ifPresent(value ->
                                table.row(minutes, run.block(), run.arm().title(), figure.key(), value, run.folder()));
            }
        }
        return table.build();
    }

    /**
     * The runs, for people.
     *
     * @param comparison the comparison
     * @return the table {@code each}, with a row for each run
     */
    public static Table each(AbComparison comparison) {
        Table.Builder table = new Table.Builder(
                "each",
                Column.text("run"),
                Column.count("block"),
                Column.text("side"),
                Column.of("from", "counts from", "s"),
                Column.text("steady"),
                Column.count("requests"),
                Column.count("failed"),
                Column.of("p50", "p50", "ms"),
                Column.of("p95", "p95", "ms"),
                Column.of("p99", "p99", "ms"),
                Column.of("throughput", "throughput", "rps"),
                Column.text("verdict"));
        for (AbRun run : comparison.runs()) {
            Map<String, Double> figures = run.figures();
            table.row(
                    run.folder(),
                    run.block(),
                    run.arm().title(),
                    run.fromSeconds(),
                    run.steady()
                            .map(steady -> steady ? "reached" : "not reached")
                            .orElse(null),
                    run.requests(),
                    run.failed(),
                    figures.get("p50"),
                    figures.get("p95"),
                    figures.get("p99"),
                    figures.get("throughput"),
                    run.verdict().name());
        }
        return table.build();
    }
}
