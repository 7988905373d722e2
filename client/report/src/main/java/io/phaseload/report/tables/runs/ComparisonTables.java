package io.phaseload.report.tables.runs;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Figure;
import io.phaseload.compare.Side;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Plan;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Operations;
import io.phaseload.report.tables.Percentiles;
import io.phaseload.report.tables.Rates;
import io.phaseload.report.tables.Timeline;
import io.phaseload.report.tables.Timeline.Bin;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.rules.Wording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Comparisons as tables: {@code changes}, {@code curves}, {@code course} and {@code servers} for charts,
 * {@code comparison} for people.
 */
public final class ComparisonTables {

    private static final Column SIDE = Column.text("side");
    private static final Column PHASE = Column.text("phase");
    private static final Column AT = Column.of("at_s", "time since the phase's start", "s");
    private static final String CPU = "cpuPercent";

    private final List<Comparison> comparisons;
    private final Map<String, Side> sides = new LinkedHashMap<>();
    private final List<String> phases;

    private ComparisonTables(List<Comparison> comparisons) {
        this.comparisons = comparisons;
        for (Comparison comparison : comparisons) {
            sides.putIfAbsent(comparison.a().name(), comparison.a());
            sides.putIfAbsent(comparison.b().name(), comparison.b());
        }
        this.phases = comparisons.stream()
                .flatMap(comparison -> comparison.changes().stream())
                .map(Change::phase)
                .distinct()
                .toList();
    }

    /**
     * Creates the tables.
     *
     * @param comparisons at least one
     * @return the tables; those over time show the first trial of each side
     */
    public static List<Table> of(List<Comparison> comparisons) {
        ComparisonTables tables = new ComparisonTables(comparisons);
        Wording words = words(comparisons.get(0));
        return List.of(tables.changes(), tables.curves(), tables.course().in(words), tables.servers());
    }

    /**
     * The word for requests in the compared runs' plans.
     *
     * @param comparison the comparison
     * @return the words for both sides, if they have the same, and else those for requests
     */
    public static Wording words(Comparison comparison) {
        Wording words = Wording.of(comparison.a().trials().get(0).result().plan());
        Wording others = Wording.of(comparison.b().trials().get(0).result().plan());
        return words == others ? words : Wording.REQUESTS;
    }

    /**
     * The changes of one comparison, for people.
     *
     * @param comparison the comparison
     * @return the table {@code comparison}; better and worse are strong
     */
    public static Table read(Comparison comparison) {
        Wording words = words(comparison);
        return new Columns<Change>()
                .add(PHASE, Change::phase)
                .text("operation", ComparisonTables::operation)
                .text(
                        "figure",
                        of -> words.heading(of.figure().key()) + " "
                                + words.heading(of.figure().unit()))
                .number("before", "A", "", of -> value(of.before(), of.figure()))
                .number("after", "B", "", of -> value(of.after(), of.figure()))
                .number("change", "change", "", of -> of.effect()
                        .map(effect -> Effects.signed(effect, effect.change())))
                .number("interval", "95 % interval", "", of -> of.effect().map(Effects::interval))
                .text(
                        "word",
                        of -> Strong.when(
                                Effects.moved(of.word()),
                                word(of) + (of.reason().isEmpty() ? "" : " (" + of.reason() + ")")))
                .table("comparison", comparison.changes().stream());
    }

    /** As text, since each row has its own kind of figure. */
    private static Object value(Optional<Double> value, Figure figure) {
        int decimals =
                switch (figure) {
                    case P50, P95, P99 -> 3;
                    case THROUGHPUT -> 1;
                    case FAILED -> 2;
                };
        Column column = new Column(figure.key(), figure.key(), figure.unit(), decimals);
        return value.<Object>map(column::write).orElse(Missing.NOT_MEASURED);
    }

    /**
     * The operation that a change is about.
     *
     * @param change the change
     * @return its name, or {@code (all)}
     */
    public static String operation(Change change) {
        return change.operation().orElse(Operations.ALL);
    }

    /**
     * The name of a figure.
     *
     * @param figure any
     * @return its name, beginning with a capital letter if it is a word
     */
    public static String title(Figure figure) {
        return switch (figure) {
            case P50, P95, P99 -> figure.key();
            case THROUGHPUT -> "Throughput";
            case FAILED -> "Failed";
        };
    }

    /**
     * A change in words.
     *
     * @param change the change
     * @return such as {@code worse: +23.9 % (+12.3 to +36.7 %, 95 % interval)}; the reason without an interval
     */
    public static String text(Change change) {
        return noneFailed(change) ? "none failed" : withInterval(change);
    }

    /**
     * Whether neither side has a failure, so that there is nothing to compare.
     *
     * @param change of any figure
     * @return {@code false} for other figures
     */
    public static boolean noneFailed(Change change) {
        return change.figure() == Figure.FAILED
                && change.before().equals(Optional.of(0.0))
                && change.after().equals(Optional.of(0.0));
    }

    private static String withInterval(Change change) {
        return change.effect()
                .map(of -> "%s: %s (%s, 95 %% interval)"
                        .formatted(word(change), Effects.signed(of, of.change()), Effects.interval(of)))
                .orElse(word(change) + ": " + change.reason());
    }

    private static String word(Change change) {
        return change.word().name().toLowerCase(Locale.ROOT);
    }

    /** The table {@code changes}, which charts of changes read. */
    static Table.Builder newChanges() {
        return new Table.Builder("changes")
                .texts("before", "after", "phase", "operation", "figure", "unit")
                .number("value_before", "A", "")
                .number("value_after", "B", "")
                .number("change", "change", "")
                .number("low", "low", "")
                .number("high", "high", "")
                .texts("change_unit")
                .number("tolerance", "tolerance", "")
                .texts("word");
    }

    private Table changes() {
        Table.Builder table = newChanges();
        for (Comparison comparison : comparisons) {
            Wording words = words(comparison);
            for (Change change : comparison.changes()) {
                Optional<Effect> effect = change.effect();
                boolean relative =
                        effect.map(of -> of.scale() == Scale.RELATIVE).orElse(true);
                table.row(
                        comparison.a().name(),
                        comparison.b().name(),
                        change.phase(),
                        operation(change),
                        words.heading(change.figure().key()),
                        words.heading(change.figure().unit()),
                        change.before(),
                        change.after(),
                        effect.map(of -> 100 * of.change()),
                        effect.map(of -> 100 * of.low()),
                        effect.map(of -> 100 * of.high()),
                        relative ? "%" : "points",
                        relative
                                ? 100 * comparison.tolerance().relative()
                                : comparison.tolerance().points(),
                        word(change));
            }
        }
        return table.build();
    }

    /** The response times of all operations and trials of a side together. */
    private Table curves() {
        Table.Builder table = new Table.Builder("curves", SIDE, PHASE)
                .number("percentile", "percentile", "%")
                .number("one_in", "one request in", "")
                .number("ms", "response", "ms");
        sides.forEach((name, side) -> {
            for (String phase : phases) {
                List<Tally> own = side.trials().stream()
                        .flatMap(trial -> trial.run().intervals().stream())
                        .filter(interval -> interval.phase().equals(phase))
                        .flatMap(interval -> interval.operations().stream())
                        .toList();
                Percentiles.curve(
                        Tallies.sum(own).histogram(Timing.RESPONSE),
                        (oneIn, ms) -> table.row(name, phase, Percentiles.percentile(oneIn), oneIn, ms));
            }
        });
        return table.build();
    }

    /** From each phase's own start, so that the sides can be compared. */
    private Table course() {
        Table.Builder table = new Table.Builder("course", Rates.columns(SIDE, PHASE, AT));
        bins().forEach(of -> table.row(Rates.row(
                of.bin().all(), of.bin().lengthSeconds(), of.side(), of.bin().phase(), of.at())));
        return table.build();
    }

    /** The CPU of each server that reported it, from each phase's own start. */
    private Table servers() {
        Table.Builder table = new Table.Builder("servers", SIDE, PHASE)
                .texts("server")
                .column(AT)
                .number("cpu_percent", "CPU of the server's process", "%");
        bins().forEach(of -> of.plan().serverFigures().stream()
                .filter(figure -> figure.matches("(.*\\.)?" + CPU))
                .forEach(cpu -> of.bin().server().stream()
                        .map(told -> told.values().get(cpu))
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .ifPresent(mean -> table.row(of.side(), of.bin().phase(), server(cpu), of.at(), mean))));
        return table.build();
    }

    /** The only one has no name. */
    private static String server(String figure) {
        int dot = figure.lastIndexOf('.');
        return dot < 0 ? "server" : figure.substring(0, dot);
    }

    /**
     * A bin of the first trial of a side.
     *
     * @param at since its phase's start, in s
     */
    private record SideBin(String side, Plan plan, Bin bin, double at) {}

    private Stream<SideBin> bins() {
        return sides.entrySet().stream().flatMap(side -> phases.stream().flatMap(phase -> {
            Side.Trial first = side.getValue().trials().get(0);
            List<Interval> own = first.run().intervals().stream()
                    .filter(one -> one.phase().equals(phase))
                    .toList();
            List<Bin> bins = Timeline.of(own).bins();
            return bins.stream().map(bin -> {
                double at = bin.atSeconds() - bins.get(0).startSeconds();
                return new SideBin(side.getKey(), first.result().plan(), bin, at);
            });
        }));
    }
}
