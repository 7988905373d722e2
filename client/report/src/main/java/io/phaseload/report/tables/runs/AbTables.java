package io.phaseload.report.tables.runs;

import io.phaseload.ab.AbComparison;
import io.phaseload.ab.AbFigure;
import io.phaseload.ab.AbRun;
import io.phaseload.ab.Arm;
import io.phaseload.ab.FigureEffect;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.LinkedText;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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
        return new Columns<FigureEffect>()
                .text("figure", of -> of.figure().key() + " " + of.figure().unit())
                .number("a", "A", "", of -> value(of.figure(), of.a()))
                .number("b", "B", "", of -> value(of.figure(), of.b()))
                .number("change", "change", "", of -> of.effect().map(AbTables::change))
                .number("interval", "interval", "", of -> of.effect().map(AbTables::interval))
                .number("control", "A again", "", of -> of.control().map(AbTables::change))
                .number("control_interval", "its interval", "", of -> of.control()
                        .map(AbTables::interval))
                .text("word", of -> of.decides() ? Strong.when(Effects.moved(of.word()), word(of)) : "only shown")
                .table("ab", comparison.judgement().effects().stream());
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
        return TextFormat.format("%,." + decimals + "f", value);
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
        record SideTime(AbRun run, AbFigure figure) {}
        return new Columns<SideTime>()
                .number(
                        "minutes",
                        "start",
                        "min",
                        of -> minutes(comparison.startedAt(), of.run().startedAt()))
                .count("block", of -> of.run().block())
                .text("arm", of -> of.run().arm().title())
                .text("figure", of -> of.figure().key())
                .number("value", "value", "ms", of -> of.run().value(of.figure()))
                .text("folder", of -> of.run().folder())
                .table(
                        "runs",
                        comparison.runs().stream()
                                .flatMap(run -> Stream.of(AbFigure.P50, AbFigure.P95, AbFigure.P99)
                                        .map(figure -> new SideTime(run, figure)))
                                .filter(of -> of.run().value(of.figure()).isPresent()));
    }

    private static double minutes(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 6e4;
    }

    /**
     * The runs, for people.
     *
     * @param comparison the comparison
     * @return the table {@code each}, with a row for each run
     */
    public static Table each(AbComparison comparison) {
        return new Columns<AbRun>()
                .text("run", of -> new LinkedText(of.folder(), "./" + of.folder() + "/report.html"))
                .count("block", AbRun::block)
                .text("side", of -> of.arm().title())
                .number("from", "counts from", "s", AbRun::fromSeconds)
                .text("steady", of -> of.steady().map(steady -> steady ? "reached" : "not reached"))
                .count("requests", AbRun::requests)
                .count("failed", AbRun::failed)
                .number("p50", "p50", "ms", of -> of.value(AbFigure.P50))
                .number("p95", "p95", "ms", of -> of.value(AbFigure.P95))
                .number("p99", "p99", "ms", of -> of.value(AbFigure.P99))
                .number("throughput", "throughput", "rps", of -> of.value(AbFigure.THROUGHPUT))
                .text("verdict", of -> of.verdict().name())
                .table("each", comparison.runs().stream());
    }
}
