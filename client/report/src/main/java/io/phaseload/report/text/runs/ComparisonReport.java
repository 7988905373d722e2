package io.phaseload.report.text.runs;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Figure;
import io.phaseload.compare.Side;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.runs.ComparisonTables;
import io.phaseload.report.tables.runs.Effects;
import io.phaseload.result.Result;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.stats.Scale;
import io.phaseload.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A comparison for people: as text, and as Markdown. */
public final class ComparisonReport {

    private static final double PERCENT = 100;

    private ComparisonReport() {}

    /**
     * Writes a comparison as text, with its table folded to a width.
     *
     * @param comparison the comparison
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(Comparison comparison, int columns) {
        List<String> lines = facts(comparison);
        lines.add("");
        return String.join("\n", lines) + "\n"
                + TextTable.write(ComparisonTables.read(comparison), columns)
                + "\n"
                + summary(comparison)
                + "\n";
    }

    private static List<String> facts(Comparison comparison) {
        List<String> facts = new ArrayList<>(List.of("A: " + side(comparison.a()), "B: " + side(comparison.b())));
        facts.addAll(notes(comparison));
        return facts;
    }

    /**
     * Writes a comparison as Markdown, for a pull request.
     *
     * @param comparison the comparison
     * @return lines that end in line feeds
     */
    public static String markdown(Comparison comparison) {
        return Markdown.head(
                        comparison.b().name() + " against " + comparison.a().name(), summary(comparison))
                + Markdown.list(facts(comparison))
                + "\n"
                + Markdown.table(ComparisonTables.read(comparison));
    }

    /**
     * Reports regressions.
     *
     * @param comparison the comparison
     * @return one line each, without line ends; empty if there are none
     */
    public static List<String> regressions(Comparison comparison, Tolerance limit) {
        return comparison.regressions(limit).stream()
                .map(change -> regression(comparison, change, limit))
                .toList();
    }

    /**
     * Reports a regression.
     *
     * @param comparison the comparison
     * @param change one of its changes that is a regression
     * @return a line without its end
     */
    public static String regression(Comparison comparison, Change change, Tolerance limit) {
        Effect effect = change.effect().orElseThrow();
        return TextFormat.format(
                "Regression in %s: %s %s %s: %s, at least %s; the limit is %s.",
                comparison.b().name(),
                change.phase(),
                ComparisonTables.operation(change),
                change.figure().key(),
                Effects.signed(effect, effect.change()),
                Effects.signed(effect, least(effect, change.figure())),
                amount(effect, limit));
    }

    private static double least(Effect effect, Figure figure) {
        return figure.better() == Effect.Better.LESS ? effect.low() : effect.high();
    }

    private static String side(Side side) {
        return side.name()
                + (side.trials().size() == 1 ? "" : " (" + side.trials().size() + " trials)");
    }

    /**
     * Caveats about the figures.
     *
     * @param comparison the comparison
     * @return whole sentences
     */
    public static List<String> notes(Comparison comparison) {
        List<String> notes = new ArrayList<>();
        notes.add(TextFormat.format(
                "Same: within %s %% (failures: %s points) with 95 %% confidence.",
                number(PERCENT * comparison.tolerance().relative()),
                number(comparison.tolerance().points())));
        for (Side side : List.of(comparison.a(), comparison.b())) {
            String letter = side == comparison.a() ? "A" : "B";
            if (side.trials().size() == 1) {
                notes.add(letter
                        + " is one run: its intervals show how it varied within itself,"
                        + " not how runs differ.");
            }
            doubt(letter, side).ifPresent(notes::add);
        }
        List<String> differences = comparison.differences();
        if (!differences.isEmpty()) {
            notes.add("The plans differ: " + String.join("; ", differences) + ".");
        }
        clients(comparison, "host", result -> result.environment().host().orElse("unknown"), notes);
        clients(comparison, "cores", result -> result.environment().cores(), notes);
        clients(comparison, "Java", result -> result.environment().javaVersion(), notes);
        clients(comparison, "Phaseload", result -> result.environment().phaseloadVersion(), notes);
        clients(comparison, "transport", result -> result.engine().transport().orElse("none"), notes);
        return notes;
    }

    private static Optional<String> doubt(String letter, Side side) {
        List<Side.Trial> doubtful = side.trials().stream()
                .filter(trial -> trial.result().verdict().status() != Verdict.Status.VALID)
                .toList();
        return doubtful.stream()
                .max(Comparator.comparing(trial -> trial.result().verdict().status()))
                .map(worst -> TextFormat.format(
                        "%s: %d of %d measurements aren't VALID; %s is %s: %s",
                        letter,
                        doubtful.size(),
                        side.trials().size(),
                        worst.folder(),
                        worst.result().verdict().status(),
                        worst.result().verdict().worst()));
    }

    private static void clients(Comparison comparison, String what, Function<Result, Object> part, List<String> notes) {
        List<String> all = Stream.of(comparison.a(), comparison.b())
                .flatMap(side -> side.trials().stream())
                .map(trial -> String.valueOf(part.apply(trial.result())))
                .distinct()
                .toList();
        if (all.size() > 1) {
            notes.add(TextFormat.format("The clients differ in %s: %s.", what, String.join(", ", all)));
        }
    }

    /**
     * How many figures changed, and which way.
     *
     * @param comparison the comparison
     * @return a line without its end
     */
    public static String summary(Comparison comparison) {
        return TextFormat.format(
                "Worse: %d, better: %d, same: %d, undecided: %d.",
                comparison.count(Word.WORSE),
                comparison.count(Word.BETTER),
                comparison.count(Word.SAME),
                comparison.count(Word.UNDECIDED));
    }

    private static String amount(Effect effect, Tolerance limit) {
        double amount = effect.scale() == Scale.RELATIVE ? PERCENT * limit.relative() : limit.points();
        return number(amount) + Effects.unit(effect);
    }

    /** Without trailing zeros. */
    static String number(double value) {
        return TextFormat.format("%.4f", value).replaceFirst("\\.?0+$", "");
    }
}
