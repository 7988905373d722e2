package io.phaseload.report;

import io.phaseload.ab.AbComparison;
import io.phaseload.ab.FigureEffect;
import io.phaseload.ab.Judgement;
import io.phaseload.ab.Outcome;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.tables.runs.AbTables;
import io.phaseload.report.text.runs.AbReport;
import io.phaseload.stats.Effect;
import java.util.List;
import java.util.stream.Collectors;

/** The page of a comparison of interleaved runs. */
public final class AbPage {

    private AbPage() {}

    /**
     * Writes the page.
     *
     * @param comparison the comparison, finished or not
     * @return HTML that loads nothing; it links to the runs' pages in the folders beside it
     */
    public static String write(AbComparison comparison) {
        Judgement judgement = comparison.judgement();
        String title = (comparison.b() + " against " + comparison.a()).replaceAll("\\bhttps?://", "");
        Page page = new Page(title + " – Phaseload", AbTables.of(comparison));
        page.header(Html.header(
                title,
                Html.badge(status(judgement.outcome()), title(judgement.outcome())),
                List.of(
                        List.of("A", comparison.a()),
                        List.of("B", comparison.b()),
                        List.of("Begun", Html.minute(comparison.startedAt())))));
        page.header(Html.paragraph("sentence", AbReport.sentence(comparison)));
        page.header(Html.paragraph("", AbReport.resolution(judgement).orElse("")));
        page.first("figures", "What changed", tiles(judgement));
        page.charts("charts", "Charts", List.of(Chart.of("changes", "changes"), Chart.of("ab-runs", "runs")), "");
        page.section(
                "effects",
                "Effects",
                Html.table("Effects, beside those of A against A", AbTables.read(comparison))
                        + Html.list(AbReport.notes(comparison)));
        page.section("runs", "Runs", Html.sortable("Runs in their order", AbTables.each(comparison)));
        page.section("environment", "Environment", Html.environment(comparison.environment(), List.of()));
        return page.write();
    }

    private static String status(Outcome outcome) {
        return switch (outcome) {
            case REGRESSION -> "FAIL";
            case NO_REGRESSION -> "PASS";
            default -> "SUSPECT";
        };
    }

    private static String title(Outcome outcome) {
        return switch (outcome) {
            case REGRESSION -> "regression";
            case NO_REGRESSION -> "no regression";
            default -> "no conclusion";
        };
    }

    private static String tiles(Judgement judgement) {
        List<FigureEffect> effects = judgement.effects();
        return effects.isEmpty()
                ? ""
                : Html.figures(effects.stream().map(AbPage::tile).collect(Collectors.joining()));
    }

    private static String tile(FigureEffect of) {
        Effect.Word word = of.decides() ? of.word() : Effect.Word.UNDECIDED;
        return Html.figure(
                of.figure().key(),
                Significant.text(of.a()) + " → " + Significant.text(of.b()),
                of.figure().unit(),
                of.effect()
                        .map(effect -> (of.decides() ? AbTables.word(of) + ": " : "") + AbReport.with(effect))
                        .orElse(""),
                Html.look(word));
    }
}
