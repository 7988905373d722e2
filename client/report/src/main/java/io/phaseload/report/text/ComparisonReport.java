package io.phaseload.report.text;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Figure;
import io.phaseload.compare.Side;
import io.phaseload.health.Verdict;
import io.phaseload.result.Result;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.stats.Scale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A comparison for people: as text, and as Markdown. */
public final class ComparisonReport {

    private static final double PERCENT = 100;

    private static final String[] COLUMNS = {
        "phase", "operation", "figure", "A", "B", "change", "95 % interval", "word"
    };

    private ComparisonReport() {}

    /**
     * Writes a comparison as text.
     *
     * @param comparison the comparison
     * @return lines that end in line feeds
     */
    public static String text(Comparison comparison) {
        return text(comparison, TextTable.WIDE);
    }

    /**
     * Writes a comparison as text, its table folded where it would be wider.
     *
     * @param comparison the comparison
     * @param columns as {@link TextTable#appendTo(StringBuilder, int)} takes them
     * @return lines that end in line feeds
     */
    public static String text(Comparison comparison, int columns) {
        StringBuilder out = new StringBuilder();
        out.append("A: ").append(side(comparison.a())).append('\n');
        out.append("B: ").append(side(comparison.b())).append('\n');
        notes(comparison).forEach(note -> out.append(note).append('\n'));
        out.append('\n');
        TextTable table = new TextTable(3, COLUMNS);
        comparison.changes().forEach(change -> table.row(cells(change)));
        table.appendTo(out, columns);
        return out.append('\n').append(summary(comparison)).append('\n').toString();
    }

    /**
     * Writes a comparison as Markdown, for a pull request.
     *
     * @param comparison the comparison
     * @return lines that end in line feeds
     */
    public static String markdown(Comparison comparison) {
        StringBuilder out = new StringBuilder();
        out.append("## Phaseload: ")
                .append(Markdown.text(comparison.b().name()))
                .append(" against ")
                .append(Markdown.text(comparison.a().name()))
                .append("\n\n**")
                .append(Markdown.text(summary(comparison)))
                .append("**\n\n");
        out.append("- A: ").append(Markdown.text(side(comparison.a()))).append('\n');
        out.append("- B: ").append(Markdown.text(side(comparison.b()))).append('\n');
        notes(comparison)
                .forEach(note -> out.append("- ").append(Markdown.text(note)).append('\n'));
        out.append("\n| ").append(String.join(" | ", COLUMNS)).append(" |\n");
        out.append("|---|---|---|---:|---:|---:|---:|---|\n");
        for (Change change : comparison.changes()) {
            boolean moved = change.word() == Word.WORSE || change.word() == Word.BETTER;
            List<String> cells = new ArrayList<>();
            Stream.of(cells(change)).map(Markdown::text).forEach(cells::add);
            cells.set(7, moved ? "**" + cells.get(7) + "**" : cells.get(7));
            out.append(Markdown.row(cells));
        }
        return out.toString();
    }

    /**
     * Says which figures are worse than they may be.
     *
     * @param comparison the comparison
     * @param limit how much worse they may be
     * @return a line for each, without line ends; empty if none is
     */
    public static List<String> regressions(Comparison comparison, Tolerance limit) {
        return comparison.regressions(limit).stream()
                .map(change -> regression(comparison, change, limit))
                .toList();
    }

    /**
     * Says how a figure is worse than it may be.
     *
     * @param comparison the comparison
     * @param change one of its changes that is a regression
     * @param limit how much worse it may be
     * @return a line without its end
     */
    public static String regression(Comparison comparison, Change change, Tolerance limit) {
        return "Regression in %s: %s %s %s: %s, at least %s; the limit is %s."
                .formatted(
                        comparison.b().name(),
                        change.phase(),
                        operation(change),
                        change.figure().key(),
                        signed(change.effect(), change.effect().change()),
                        signed(change.effect(), least(change)),
                        amount(change.effect(), limit));
    }

    private static double least(Change change) {
        Effect effect = change.effect();
        return change.figure().better() == Effect.Better.LESS ? effect.low() : effect.high();
    }

    private static String side(Side side) {
        return side.name()
                + (side.trials().size() == 1 ? "" : " (" + side.trials().size() + " trials)");
    }

    /** What the figures mean, and what speaks against them. */
    /**
     * What to know before the figures are believed.
     *
     * @param comparison the comparison
     * @return whole sentences
     */
    public static List<String> notes(Comparison comparison) {
        List<String> notes = new ArrayList<>();
        notes.add(
                format(
                        "Same: within %s %% (failures: %s points) with 95 %% confidence.",
                        number(PERCENT * comparison.tolerance().relative()),
                        number(comparison.tolerance().points())));
        for (Side side : List.of(comparison.a(), comparison.b())) {
            String letter = side == comparison.a() ? "A" : "B";
            if (side.trials().size() == 1) {
                notes.add(
                        letter
                                + " is one run: its intervals (batch means) tell how it varied"
                                + " within itself, not how runs differ from each other.");
            }
            doubt(letter, side).ifPresent(notes::add);
        }
        List<String> differences = comparison.differences();
        if (!differences.isEmpty()) {
            notes.add("The plans differ: " + String.join("; ", differences) + ".");
        }
        clients(comparison, "host", result -> result.environment().host(), notes);
        clients(comparison, "cores", result -> result.environment().cores(), notes);
        clients(comparison, "Java", result -> result.environment().javaVersion(), notes);
        clients(comparison, "Phaseload", result -> result.environment().phaseloadVersion(), notes);
        clients(comparison, "transport", result -> result.engine().transport(), notes);
        return notes;
    }

    private static Optional<String> doubt(String letter, Side side) {
        List<Side.Trial> doubtful =
                side.trials().stream()
                        .filter(trial -> trial.result().verdict().status() != Verdict.Status.VALID)
                        .toList();
        return doubtful.stream()
                .max(Comparator.comparing(trial -> trial.result().verdict().status()))
                .map(
                        gravest ->
                                "%s: measurements that aren't VALID: %d of %d; %s is %s: %s"
                                        .formatted(
                                                letter,
                                                doubtful.size(),
                                                side.trials().size(),
                                                gravest.folder(),
                                                gravest.result().verdict().status(),
                                                gravest.result().verdict().worst()));
    }

    private static void clients(
            Comparison comparison, String what, Function<Result, Object> part, List<String> notes) {
        List<String> all =
                Stream.of(comparison.a(), comparison.b())
                        .flatMap(side -> side.trials().stream())
                        .map(trial -> String.valueOf(part.apply(trial.result())))
                        .distinct()
                        .toList();
        if (all.size() > 1) {
            notes.add("The clients differ in %s: %s.".formatted(what, String.join(", ", all)));
        }
    }

    /**
     * How many figures changed, and which way.
     *
     * @param comparison the comparison
     * @return a line without its end
     */
    public static String summary(Comparison comparison) {
        return "Worse: %d, better: %d, same: %d, undecided: %d."
                .formatted(
                        comparison.count(Word.WORSE),
                        comparison.count(Word.BETTER),
                        comparison.count(Word.SAME),
                        comparison.count(Word.UNDECIDED));
    }

    /**
     * The names of a table's columns.
     *
     * @return as many as each of {@link #rows} has cells; the first three are texts
     */
    public static List<String> columns() {
        return List.of(COLUMNS);
    }

    /**
     * A table of all changes.
     *
     * @param comparison the comparison
     * @return a row a change, of texts
     */
    public static List<List<String>> rows(Comparison comparison) {
        return comparison.changes().stream().map(change -> List.of(cells(change))).toList();
    }

    private static String[] cells(Change change) {
        Effect effect = change.effect();
        String word = change.word().name().toLowerCase(Locale.ROOT);
        return new String[] {
            change.phase(),
            operation(change),
            change.figure().key() + " " + change.figure().unit(),
            value(change.before(), change.figure()),
            value(change.after(), change.figure()),
            effect == null ? "" : signed(effect, effect.change()),
            effect == null ? "" : interval(effect),
            change.reason().isEmpty() ? word : word + " (" + change.reason() + ")"
        };
    }

    private static String operation(Change change) {
        return change.operation() == null ? "(all)" : change.operation();
    }

    private static String value(Double value, Figure figure) {
        if (value == null) {
            return "n/a";
        }
        return switch (figure) {
            case P50, P95, P99 -> format("%.3f", value);
            case THROUGHPUT -> format("%.1f", value);
            case FAILED -> format("%.2f", value);
        };
    }

    private static String interval(Effect effect) {
        return number(effect, effect.low()) + " to " + signed(effect, effect.high());
    }

    private static String signed(Effect effect, double change) {
        return number(effect, change) + unit(effect);
    }

    private static String number(Effect effect, double change) {
        String pattern = effect.scale() == Scale.RELATIVE ? "%+.1f" : "%+.2f";
        return format(pattern, PERCENT * change);
    }

    private static String unit(Effect effect) {
        return effect.scale() == Scale.RELATIVE ? " %" : " points";
    }

    private static String amount(Effect effect, Tolerance limit) {
        double amount =
                effect.scale() == Scale.RELATIVE ? PERCENT * limit.relative() : limit.points();
        return number(amount) + unit(effect);
    }

    /** Without zeros at its end. */
    private static String number(double value) {
        return format("%.4f", value).replaceFirst("\\.?0+$", "");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
