package io.phaseload.report;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Figure;
import io.phaseload.compare.Side;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.tables.runs.ComparisonTables;
import io.phaseload.report.tables.runs.Effects;
import io.phaseload.report.text.Headline;
import io.phaseload.report.text.runs.ComparisonReport;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.stats.Scale;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of a comparison, or of several with the same first side. */
public final class ComparisonPage {

    /** More don't fit on a first screen. */
    private static final int MOST_TILES = 10;

    private static final int MOST_NAMED = 3;

    private static final int FIGURES = Figure.values().length;

    private static final List<Chart> CHARTS = List.of(
            Chart.of("changes", "changes"),
            Chart.of("changes-points", "changes"),
            Chart.of("compared-percentiles", "curves"),
            Chart.of("compared-latency", "course"),
            Chart.of("compared-throughput", "course"),
            Chart.of("compared-server", "servers"));

    private ComparisonPage() {}

    /**
     * Writes the page.
     *
     * @param comparisons at least one
     * @return HTML that loads nothing
     */
    public static String write(List<Comparison> comparisons) {
        List<Table> tables = ComparisonTables.of(comparisons);
        Wording words = ComparisonTables.words(comparisons.get(0));
        Page page = new Page(title(comparisons) + " – Phaseload", tables);
        page.header(header(comparisons));
        comparisons.forEach(comparison -> page.header(summary(comparison)));
        page.first("figures", "What changed", figures(comparisons));
        boolean servers = tables.stream()
                .anyMatch(of -> of.name().equals("servers") && !of.rows().isEmpty());
        List<Chart> charts =
                charts(comparisons, servers).stream().map(of -> of.in(words)).toList();
        page.charts("charts", "Charts", charts, "");
        for (int i = 0; i < comparisons.size(); i++) {
            Comparison comparison = comparisons.get(i);
            page.section(
                    "changes-" + (i + 1),
                    sides(comparison),
                    Html.table("Changes, " + sides(comparison), changed(ComparisonTables.read(comparison))));
        }
        return page.write();
    }

    /** Without comparisons that have no result: changes on a scale, or servers. */
    private static List<Chart> charts(List<Comparison> comparisons, boolean servers) {
        Set<Scale> told = comparisons.stream()
                .flatMap(comparison -> comparison.changes().stream())
                .flatMap(change -> change.effect().stream())
                .map(Effect::scale)
                .collect(Collectors.toSet());
        return CHARTS.stream()
                .filter(of -> told.contains(Scale.RELATIVE) || !of.name().equals("changes"))
                .filter(of -> told.contains(Scale.ABSOLUTE) || !of.name().equals("changes-points"))
                .filter(of -> servers || !of.name().equals("compared-server"))
                .toList();
    }

    /**
     * The subject of a picture.
     *
     * @param comparisons at least one
     * @return the names of their sides
     */
    public static String about(List<Comparison> comparisons) {
        return String.join(", ", comparisons.stream().map(ComparisonPage::sides).toList());
    }

    private static String figures(List<Comparison> comparisons) {
        int most = Math.max(FIGURES, MOST_TILES / comparisons.size());
        StringBuilder out = new StringBuilder();
        for (Comparison comparison : comparisons) {
            if (comparisons.size() > 1) {
                out.append("<h3>").append(Html.text(sides(comparison))).append("</h3>\n");
            }
            List<Change> first = first(comparison);
            Wording words = ComparisonTables.words(comparison);
            out.append(Html.figures(first.stream()
                    .limit(most)
                    .map(change -> tile(change, first, words))
                    .collect(Collectors.joining())));
        }
        return out.toString();
    }

    /** The changed columns first, so that a phone shows them; without columns that are the same in all rows. */
    private static Table changed(Table all) {
        List<String> columns = new ArrayList<>();
        Stream.of("phase", "operation").filter(all::differs).forEach(columns::add);
        columns.addAll(List.of("figure", "change", "word", "before", "after", "interval"));
        return all.with(columns);
    }

    private static String sides(Comparison comparison) {
        return shortName(comparison.a()) + " → " + shortName(comparison.b());
    }

    /** Those of all operations together, where there are several. */
    private static List<Change> first(Comparison comparison) {
        List<Change> all = comparison.changes().stream()
                .filter(of -> of.operation().isEmpty())
                .toList();
        return all.isEmpty() ? comparison.changes() : all;
    }

    private static String tile(Change change, List<Change> beside, Wording words) {
        boolean phases = differ(beside, Change::phase);
        boolean operations = differ(beside, Change::operation);
        String name = words.heading(ComparisonTables.title(change.figure()))
                + (phases ? " of " + change.phase() : "")
                + (operations ? ", " + ComparisonTables.operation(change) : "");
        return Html.figure(
                name,
                number(change.before()) + " → " + number(change.after()),
                words.heading(change.figure().unit()),
                change.effect().map(Effects::arrow).orElse("") + ComparisonTables.text(change),
                Html.look(change.word()));
    }

    private static boolean differ(List<Change> changes, Function<Change, ?> in) {
        return changes.stream().map(in).distinct().count() > 1;
    }

    private static String number(Optional<Double> value) {
        return value.map(Significant::text).orElse("?");
    }

    private static String header(List<Comparison> comparisons) {
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("A", side(comparisons.get(0).a())));
        comparisons.forEach(comparison -> facts.add(List.of("B", side(comparison.b()))));
        return Html.header(title(comparisons), "", facts);
    }

    /** Without the folders in which they are. */
    private static String title(List<Comparison> comparisons) {
        return Stream.concat(
                        Stream.of(comparisons.get(0).a()), comparisons.stream().map(Comparison::b))
                .map(ComparisonPage::shortName)
                .collect(Collectors.joining(" → "));
    }

    private static String shortName(Side side) {
        return side.name().replaceFirst("^.*/(?=[^/]+/*$)", "");
    }

    private static String summary(Comparison comparison) {
        String badges = count(comparison, Word.WORSE, "INVALID")
                + count(comparison, Word.BETTER, "VALID")
                + count(comparison, Word.SAME, "")
                + count(comparison, Word.UNDECIDED, "SUSPECT");
        List<String> facts = new ArrayList<>();
        facts.add("A: " + folders(comparison.a()));
        facts.add("B: " + folders(comparison.b()));
        facts.addAll(ComparisonReport.notes(comparison));
        List<String> differences = comparison.differences();
        return Html.paragraph("sentence", sentence(comparison))
                + "<p>"
                + badges
                + "</p>\n"
                + (differences.isEmpty() ? "" : "<p>The plans differ:</p>\n" + Html.list(differences))
                + Html.fold("Runs and remarks", Html.list(facts));
    }

    /** Such as {@code new is worse: p50 +38.0 %, throughput -21.0 %}. */
    private static String sentence(Comparison comparison) {
        List<Change> changed = first(comparison).stream()
                .filter(of -> of.word() == Word.WORSE || of.word() == Word.BETTER)
                .toList();
        boolean worse = changed.stream().anyMatch(of -> of.word() == Word.WORSE);
        boolean better = changed.stream().anyMatch(of -> of.word() == Word.BETTER);
        String b = shortName(comparison.b());
        if (changed.isEmpty()) {
            return b + (comparison.count(Word.UNDECIDED) > 0 ? ": too little was measured to tell." : ": no change.");
        }
        boolean phases = differ(changed, Change::phase);
        return b
                + (worse && better ? " is worse and better: " : worse ? " is worse: " : " is better: ")
                + changed.stream()
                        .sorted(Comparator.comparing(of -> of.word() != Word.WORSE))
                        .limit(MOST_NAMED)
                        .map(of -> ComparisonTables.title(of.figure()).toLowerCase(Locale.ROOT)
                                + (phases ? " of " + of.phase() : "")
                                + of.effect()
                                        .map(effect -> " " + Effects.signed(effect, effect.change()))
                                        .orElse(""))
                        .collect(Collectors.joining(", "))
                + (changed.size() > MOST_NAMED ? ", and " + (changed.size() - MOST_NAMED) + " more" : "");
    }

    private static String count(Comparison comparison, Word word, String status) {
        return Html.count(
                status,
                word.name().toLowerCase(Locale.ROOT),
                comparison.changes().stream()
                        .filter(of -> of.word() == word && !ComparisonTables.noneFailed(of))
                        .count());
    }

    /** The subject of its first trial, and the time of each. */
    private static String side(Side side) {
        return Headline.title(side.trials().get(0).result()) + dates(side);
    }

    private static String folders(Side side) {
        return side.name() + dates(side);
    }

    private static String dates(Side side) {
        return side.trials().stream()
                .map(trial -> Html.minute(trial.result().startedAt()))
                .collect(Collectors.joining(", ", " (", ")"));
    }
}
