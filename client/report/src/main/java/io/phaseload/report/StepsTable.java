package io.phaseload.report;

import io.phaseload.report.tables.SweepAxes;
import io.phaseload.report.tables.SweepTables;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.TrialRow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A sweep's steps with what became of their measurements, and links to their trials' pages. */
final class StepsTable {

    private StepsTable() {}

    static String of(SweepResult sweep, SweepAxes varied, Function<TrialRow, Optional<String>> pages) {
        StringBuilder out = new StringBuilder();
        out.append(
                """
                <div class="scroll" tabindex="0" role="region" aria-label="Table: Trials">
                <table>
                <thead><tr><th scope="col">step</th><th scope="col">measurement</th>\
                <th scope="col">trials</th></tr></thead>
                <tbody>
                """);
        for (StepSummary step : sweep.summary().steps()) {
            String values = varied.text(step.step());
            String status = SweepTables.status(sweep.rows(), step);
            out.append("<tr><th scope=\"row\">")
                    .append(Html.step(values.isEmpty() ? "1" : values))
                    .append("</th><td>")
                    .append(Html.status(status))
                    .append("</td><td>")
                    .append(trials(sweep, step, pages))
                    .append("</td></tr>\n");
        }
        return out.append("</tbody>\n</table>\n</div>\n").toString();
    }

    private static String trials(SweepResult sweep, StepSummary step, Function<TrialRow, Optional<String>> pages) {
        Map<Integer, TrialRow> firstRows = new LinkedHashMap<>();
        sweep.rows().stream()
                .filter(row -> row.step() == step.step().number())
                .forEach(row -> firstRows.putIfAbsent(row.trial(), row));
        StringBuilder out = new StringBuilder();
        for (TrialRow row : firstRows.values()) {
            String name = "trial " + row.trial() + (row.isOk() ? "" : " (failed)");
            out.append(out.isEmpty() ? "" : ", ")
                    .append(pages.apply(row).map(page -> Html.link(page, name)).orElse(Html.text(name)));
        }
        return out.toString();
    }
}
