package io.phaseload.report;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Side;
import io.phaseload.report.tables.ComparisonTables;
import io.phaseload.report.text.ComparisonReport;
import io.phaseload.stats.Effect.Word;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of a comparison, or of several with the same first side. */
public final class ComparisonPage {

    private static final List<Chart> CHARTS =
            List.of(
                    Chart.of("changes", "changes"),
                    Chart.of("changes-points", "changes"),
                    Chart.of("compared-percentiles", "curves"),
                    Chart.of("compared-latency", "course"),
                    Chart.of("compared-throughput", "course"));

    private ComparisonPage() {}

    /**
     * Writes the page.
     *
     * @param comparisons at least one
     * @return HTML that loads nothing
     */
    public static String write(List<Comparison> comparisons) {
        Page page = new Page("Comparison – Phaseload", ComparisonTables.of(comparisons));
        page.header(header(comparisons));
        comparisons.forEach(comparison -> page.header(summary(comparison)));
        page.charts("charts", "Charts", CHARTS, "");
        for (int i = 0; i < comparisons.size(); i++) {
            Comparison comparison = comparisons.get(i);
            page.section(
                    "changes-" + (i + 1),
                    comparison.a().name() + " → " + comparison.b().name(),
                    Html.table("Changes", ComparisonTables.read(comparison)));
        }
        return page.write();
    }

    private static String header(List<Comparison> comparisons) {
        Set<String> first = new LinkedHashSet<>();
        Set<String> others = new LinkedHashSet<>();
        for (Comparison comparison : comparisons) {
            first.add(comparison.a().name());
            others.add(comparison.b().name());
        }
        return Html.header(
                "Comparison",
                "",
                List.of(
                        List.of("From", String.join(", ", first)),
                        List.of("To", String.join(", ", others))));
    }

    private static String summary(Comparison comparison) {
        StringBuilder badges = new StringBuilder();
        count(badges, comparison, Word.WORSE, "INVALID");
        count(badges, comparison, Word.BETTER, "VALID");
        count(badges, comparison, Word.SAME, "");
        count(badges, comparison, Word.UNDECIDED, "SUSPECT");
        List<String> facts = new ArrayList<>();
        facts.add("A: " + side(comparison.a()));
        facts.add("B: " + side(comparison.b()));
        facts.addAll(ComparisonReport.notes(comparison));
        return "<p>" + badges + "</p>\n" + Html.list(facts);
    }

    private static void count(
            StringBuilder badges, Comparison comparison, Word word, String status) {
        long count = comparison.count(word);
        if (count > 0) {
            badges.append(Html.badge(status, word.name().toLowerCase(Locale.ROOT) + ": " + count));
        }
    }

    private static String side(Side side) {
        return side.name()
                + side.trials().stream()
                        .map(trial -> Html.minute(trial.result().startedAt()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }
}
