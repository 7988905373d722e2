package io.phaseload.report.text.runs;

import io.phaseload.ab.AbComparison;
import io.phaseload.ab.AbFigure;
import io.phaseload.ab.AbRun;
import io.phaseload.ab.AbSettings;
import io.phaseload.ab.FigureEffect;
import io.phaseload.ab.Judgement;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.runs.AbTables;
import io.phaseload.report.tables.runs.Effects;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison of interleaved runs for people: as text, and as Markdown. */
public final class AbReport {

    private static final double PERCENT = 100;

    private AbReport() {}

    /**
     * Writes a comparison as text, with its table folded to a width.
     *
     * @param comparison the comparison, finished or not
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(AbComparison comparison, int columns) {
        StringBuilder out = new StringBuilder();
        out.append("A: ").append(comparison.a()).append('\n');
        out.append("B: ").append(comparison.b()).append("\n\n");
        if (!comparison.judgement().effects().isEmpty()) {
            out.append(TextTable.write(AbTables.read(comparison), columns)).append('\n');
        }
        Stream.concat(Stream.of(sentence(comparison)), notes(comparison).stream())
                .forEach(line -> out.append(line).append('\n'));
        return out.toString();
    }

    /**
     * Writes a comparison as Markdown, for a pull request.
     *
     * @param comparison the comparison
     * @return lines that end in line feeds
     */
    public static String markdown(AbComparison comparison) {
        List<String> facts = new ArrayList<>(List.of("A: " + comparison.a(), "B: " + comparison.b()));
        facts.addAll(notes(comparison));
        return Markdown.head("A against B", sentence(comparison))
                + Markdown.table(AbTables.read(comparison))
                + "\n"
                + Markdown.list(facts);
    }

    /**
     * The decision.
     *
     * @param comparison the comparison
     * @return a sentence
     */
    public static String sentence(AbComparison comparison) {
        Judgement judgement = comparison.judgement();
        String margin =
                "the margin of " + ComparisonReport.number(comparison.settings().marginPercent()) + " %";
        List<FigureEffect> changed = judgement.changed();
        return switch (judgement.outcome()) {
            case REGRESSION -> "B is worse by more than the margin: "
                    + effects(judgement, FigureEffect::isRegression, FigureEffect::effect) + ".";
            case NO_REGRESSION -> changed.isEmpty()
                    ? "B is not worse: no figure by more than its margin, and none differs for certain."
                    : "B is not worse by more than the margin. It differs: " + changes(changed) + ".";
            case CONTROL_MOVED -> "No conclusion: A differs from itself, "
                    + effects(judgement, FigureEffect::controlMoved, FigureEffect::control)
                    + ". This machine doesn't hold still.";
            case TOO_NOISY -> comparison.nothingSucceeded()
                    ? "No conclusion: no request succeeded in the last run."
                    : judgement.blocks() < Judgement.LEAST_BLOCKS
                            ? "No conclusion: it ended before the third block of six runs."
                            : "No conclusion: a change as small as " + margin
                                    + " can't be detected on this machine today" + also(changed);
            case UNDECIDED -> "No conclusion: the change is too near to " + margin + also(changed);
            case INVALID -> "No conclusion: most measurements are INVALID.";
        };
    }

    private static String also(List<FigureEffect> changed) {
        return changed.isEmpty() ? "." : ". For certain: " + changes(changed) + ".";
    }

    private static String changes(List<FigureEffect> of) {
        return of.stream()
                .map(effect -> effect.figure().key()
                        + (effect.word() == Word.WORSE ? " is worse, " : " is better, ")
                        + with(effect.effect().orElseThrow()))
                .collect(Collectors.joining("; "));
    }

    private static String effects(
            Judgement judgement, Predicate<FigureEffect> wanted, Function<FigureEffect, Optional<Effect>> effect) {
        return judgement.effects().stream()
                .filter(of -> of.decides() && wanted.test(of))
                .map(of -> of.figure().key() + " " + with(effect.apply(of).orElseThrow()))
                .collect(Collectors.joining("; "));
    }

    /**
     * A change with its interval.
     *
     * @param effect the effect
     * @return such as {@code +3.1 % (+1.9 to +4.4 %)}
     */
    public static String with(Effect effect) {
        return "%s (%s)".formatted(Effects.signed(effect, effect.change()), AbTables.interval(effect));
    }

    /**
     * The first figure after a block.
     *
     * @param comparison the comparison
     * @return a line without its end
     */
    public static String line(AbComparison comparison) {
        Judgement judgement = comparison.judgement();
        double used = comparison.looks().get(comparison.looks().size() - 1).fraction();
        String effects = judgement.effects().stream()
                .filter(of -> of.decides() && of.effect().isPresent())
                .findFirst()
                .map(of -> ": %s %s, A again %s"
                        .formatted(
                                of.figure().key(),
                                with(of.effect().get()),
                                with(of.control().orElseThrow())))
                .orElse("");
        return TextFormat.format("Block %d, %.0f %% of the budget", judgement.blocks(), PERCENT * used) + effects;
    }

    /**
     * The smallest changes that could be detected.
     *
     * @param judgement the effects
     * @return a sentence; empty without a control
     */
    public static Optional<String> resolution(Judgement judgement) {
        String changes = judgement.effects().stream()
                .filter(of -> of.decides() && of.figure() != AbFigure.FAILED)
                .filter(of -> of.resolution().filter(least -> least < 1).isPresent())
                .map(of -> TextFormat.format(
                        "%.1f %% of %s",
                        PERCENT * of.resolution().get(), of.figure().key()))
                .collect(Collectors.joining(", "));
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Changes above " + changes + " can be detected on this machine today, as A against A shows.");
    }

    /**
     * Remarks on the measurement.
     *
     * @param comparison the comparison
     * @return whole sentences
     */
    public static List<String> notes(AbComparison comparison) {
        AbSettings settings = comparison.settings();
        Judgement judgement = comparison.judgement();
        List<String> notes = new ArrayList<>();
        resolution(judgement).ifPresent(notes::add);
        List<AbRun> counted =
                comparison.runs().stream().filter(run -> run.block() > 0).toList();
        notes.add(TextFormat.format(
                "%d block%s of six runs, %.1f minutes%s.",
                judgement.blocks(),
                judgement.blocks() == 1 ? "" : "s",
                comparison.runs().stream().mapToDouble(AbRun::seconds).sum() / 60,
                comparison.finished() ? "" : "; interrupted"));
        notes.add(TextFormat.format(
                "Margins: %s %%, failures %s points. All intervals of the figures that decide are right in 95 of 100"
                        + " comparisons, also of those that end early.",
                ComparisonReport.number(settings.marginPercent()),
                ComparisonReport.number(settings.failuresMarginPoints())));
        List<String> missing = new ArrayList<>(settings.figures());
        judgement.effects().forEach(of -> missing.remove(of.figure().key()));
        if (!missing.isEmpty() && judgement.blocks() > 0) {
            notes.add("Not known in all runs, so not judged: " + String.join(", ", missing) + ".");
        }
        long unsteady = counted.stream()
                .filter(run -> run.steady().filter(steady -> !steady).isPresent())
                .count();
        if (unsteady > 0) {
            notes.add("%d of %d runs didn't become steady.".formatted(unsteady, counted.size()));
        }
        for (AbRun run : comparison.runs()) {
            if (run.block() == 0 && run.steady().isPresent()) {
                notes.add(TextFormat.format(
                        "Warm-up of %s: %s.",
                        run.arm(),
                        run.steady().get()
                                ? TextFormat.format("steady from %.0f s on", run.fromSeconds())
                                : "not steady yet"));
            }
        }
        for (Verdict.Status status : List.of(Verdict.Status.INVALID, Verdict.Status.SUSPECT)) {
            long doubtful =
                    counted.stream().filter(run -> run.verdict() == status).count();
            if (doubtful > 0) {
                notes.add("%d of %d measurements are %s; their pages say why."
                        .formatted(doubtful, counted.size(), status));
            }
        }
        return notes;
    }
}
