package io.phaseload.report;

import io.phaseload.measure.Interval;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.tables.RunTables;
import io.phaseload.report.text.Headline;
import io.phaseload.report.text.SoakReport;
import io.phaseload.result.Result;
import io.phaseload.result.SteadyPhase;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.soak.Soak;
import java.util.List;
import java.util.stream.Collectors;

/** The page of {@code phaseload soak}. */
public final class SoakPage {

    /** Its name in a run's folder. */
    public static final String FILE = "soak.html";

    private SoakPage() {}

    /**
     * Writes the page.
     *
     * @param soak the judgement
     * @param result of the run
     * @param intervals all of it
     * @return HTML that loads nothing
     */
    public static String write(Soak soak, Result result, List<Interval> intervals) {
        String title = "Soak · " + Headline.title(result);
        String badge =
                soak.outcome() == Outcome.UNDECIDED ? "SUSPECT" : soak.outcome().name();
        return new Page(title + " – Phaseload", RunTables.of(result, intervals))
                .header(Html.header(
                        title,
                        Html.paragraph("sentence", SoakReport.sentence(soak))
                                + "<p>" + Html.badge(badge, "soak " + soak.outcome()) + "</p>\n"
                                + soak.steady().stream()
                                        .map(SteadyPhase::text)
                                        .map(of -> "<p>" + Html.text(of) + "</p>\n")
                                        .collect(Collectors.joining()),
                        List.of(
                                List.of("phase", soak.phase()),
                                List.of("lasted", SoakReport.lasted(soak)),
                                List.of("started", Html.minute(result.startedAt())))))
                .section("slopes", "Slopes", Html.table("Slopes", SoakReport.table(soak)))
                .charts(
                        "charts",
                        "Charts",
                        List.of(
                                Chart.of("latency", "latencies"),
                                Chart.of("throughput", "intervals"),
                                Chart.of("failures", "failures"),
                                Chart.of("server", "server")),
                        "")
                .write();
    }
}
