package io.phaseload.report;

import io.phaseload.capacity.Answer;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.runs.CapacityTables;
import io.phaseload.report.text.runs.CapacityReport;
import java.util.List;

/** The page of a search for a capacity. */
public final class CapacityPage {

    private CapacityPage() {}

    /**
     * Writes the page.
     *
     * @param result the search
     * @return HTML that loads nothing
     */
    public static String write(CapacityResult result) {
        String title = "Capacity of " + result.target();
        Page page = new Page(title + " – Phaseload", CapacityTables.charts(result));
        return page.header(header(title, result))
                .first("figures", "Figures", figures(result))
                .charts(
                        "charts",
                        "Charts",
                        List.of(Chart.of("capacity-search", "capacity"), Chart.of("capacity-figures", "capacity")),
                        "")
                .section("steps", "Steps", Html.table("Steps", CapacityTables.steps(result)))
                .section(
                        "environment",
                        "Environment",
                        Html.environment(
                                        result.environment(),
                                        List.of(List.of("Arguments", String.join(" ", result.arguments()))))
                                + Html.details("The report as text", CapacityReport.text(result, TextTable.WIDE)))
                .write();
    }

    private static String header(String title, CapacityResult result) {
        StringBuilder status = new StringBuilder(Html.paragraph("sentence", CapacityReport.sentence(result)));
        if (!result.finished()) {
            status.append("<p>").append(Html.badge("SUSPECT", "not finished")).append("</p>\n");
        }
        return Html.header(
                title,
                status + Html.list(CapacityReport.remarks(result)),
                List.of(
                        List.of("Objective", String.join(", ", result.objectives())),
                        List.of("Started", Html.minute(result.startedAt())),
                        List.of("Client", Html.machine(result.environment()))));
    }

    private static String figures(CapacityResult result) {
        if (result.answer().isEmpty()) {
            return "";
        }
        Answer answer = result.answer().get();
        String unit = CapacityTables.unit(result);
        StringBuilder out = new StringBuilder();
        out.append(
                answer.atLeast()
                        ? Html.figure(
                                "Capacity, at least", load(answer.low()), unit, "the service may take more", "doubt")
                        : Html.figure(
                                "Capacity",
                                load(answer.load()),
                                unit,
                                load(answer.low()) + " to " + load(answer.high().orElseThrow())));
        answer.confirmed()
                .ifPresent(load -> out.append(Html.figure("Confirmed", load(load), unit, "by a longer step")));
        CapacityStep at = result.step(answer.at());
        at.objectives()
                .forEach(of -> out.append(Html.figure(
                        "At " + load(at.load()) + " " + unit,
                        Significant.text(of.figure()),
                        of.unit(),
                        of.objective())));
        at.client()
                .ceiling()
                .ifPresent(ceiling -> out.append(Html.figure(
                        "Client's own ceiling",
                        Significant.text(ceiling / at.load()),
                        "×",
                        "limit: " + at.client().limit())));
        double seconds = result.steps().stream()
                .mapToDouble(step -> step.time().seconds())
                .sum();
        out.append(Html.figure(
                "Steps", Integer.toString(result.steps().size()), "", Significant.text(seconds / 60) + " min of load"));
        return Html.figures(out.toString());
    }

    private static String load(double load) {
        return CapacityTables.load(load);
    }
}
