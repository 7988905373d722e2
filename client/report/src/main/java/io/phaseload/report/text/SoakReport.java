package io.phaseload.report.text;

import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import io.phaseload.result.SteadyPhase;
import io.phaseload.result.ThresholdResult.Evidence;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.soak.Drift;
import io.phaseload.soak.Soak;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The slopes of a long run for people: as text, and as Markdown. */
public final class SoakReport {

    private SoakReport() {}

    /**
     * Writes it as text, with its table folded to a width.
     *
     * @param soak the run
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(Soak soak, int columns) {
        return "Soak of phase %s, %s\n".formatted(soak.phase(), lasted(soak))
                + soak.steady().stream().map(of -> "  " + of.text() + "\n").collect(Collectors.joining())
                + "\n"
                + TextTable.write(table(soak), columns)
                + "\n"
                + sentence(soak)
                + "\n";
    }

    /**
     * Writes it as Markdown, for a pull request.
     *
     * @param soak the run
     * @return lines that end in line feeds
     */
    public static String markdown(Soak soak) {
        return Markdown.head("soak of %s, %s".formatted(soak.phase(), lasted(soak)), sentence(soak))
                + Markdown.list(soak.steady().stream().map(SteadyPhase::text).toList())
                + "\n"
                + Markdown.table(table(soak));
    }

    /** {@return the length of the judged phase, such as {@code 8.0 h}} */
    public static String lasted(Soak soak) {
        return soak.seconds() < 3_600
                ? TextFormat.format("%.1f min", soak.seconds() / 60)
                : TextFormat.format("%.1f h", soak.seconds() / 3_600);
    }

    /**
     * The outcome.
     *
     * @param soak the run
     * @return one sentence, or two
     */
    public static String sentence(Soak soak) {
        String failed = drifts(soak, Outcome.FAIL, SoakReport::drift);
        String undecided = drifts(soak, Outcome.UNDECIDED, Drift::figure);
        String all = TextFormat.joined(
                " ",
                failed.isEmpty() ? "" : "Drifts: " + failed + ".",
                undecided.isEmpty() ? "" : "Undecided, a longer run may decide: " + undecided + ".");
        return all.isEmpty() ? "No figure drifts." : all;
    }

    private static String drifts(Soak soak, Outcome outcome, Function<Drift, String> text) {
        return soak.drifts().stream()
                .filter(of -> of.outcome() == outcome)
                .map(text)
                .collect(Collectors.joining(", "));
    }

    private static String drift(Drift drift) {
        return drift.figure() + " "
                + drift.slope().observedText()
                + drift.hoursLeft().map(of -> ", runs out in " + hours(of)).orElse("");
    }

    private static String hours(double hours) {
        return Significant.text(hours) + " h";
    }

    /**
     * The figures.
     *
     * @param soak the run
     * @return the table {@code soak}
     */
    public static Table table(Soak soak) {
        return new Columns<Drift>()
                .text(
                        "outcome",
                        of -> Strong.when(
                                of.outcome() != Outcome.PASS, of.outcome().name()))
                .text("figure", Drift::figure)
                .text("limit", of -> of.limit().expression().replaceFirst("^.*? ([<>])", "$1"))
                .text("change", of -> of.limit().observedText())
                .text("interval", of -> of.limit().intervalText())
                .text("slope", of -> of.slope().evidence().map(any -> of.slope().observedText()))
                .text("level", of -> of.level().map(Significant::text))
                .text("runs out in", SoakReport::left)
                .count("n", of -> of.limit().evidence().map(Evidence::samples))
                .count("worth", of -> of.limit().evidence().map(Evidence::effectiveSamples))
                .table("soak", soak.drifts().stream());
    }

    private static String left(Drift of) {
        String least =
                of.hoursAtLeast().map(hours -> ", at least " + hours(hours)).orElse("");
        return of.hoursLeft().map(hours -> hours(hours) + least).orElse("");
    }
}
