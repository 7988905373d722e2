package io.phaseload.report;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.tables.SweepAxes;
import io.phaseload.report.tables.SweepTables;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The medians of a sweep's steps to three significant digits, each above its interval: what a sweep measured itself
 * first, then what is asked first. Copies have all places.
 */
final class StepFigures {

    private static final List<String> FIRST =
            List.of("ops_per_second", TrialRow.P50_MS, TrialRow.P95_MS, TrialRow.P99_MS, TrialRow.FAILED_PERCENT);

    private final SweepResult sweep;
    private final Function<TrialRow, Optional<String>> pages;
    private final SweepSummary summary;
    private final SweepAxes varied;
    private final List<String> figures;
    private final boolean operations;
    private final boolean repeated;
    private final StringBuilder out = new StringBuilder();

    private StepFigures(SweepResult sweep, SweepAxes varied, Function<TrialRow, Optional<String>> pages) {
        this.sweep = sweep;
        this.pages = pages;
        this.summary = sweep.summary();
        this.varied = varied;
        Set<String> all = new LinkedHashSet<>(sweep.metrics());
        all.addAll(FIRST);
        all.addAll(SweepSummary.FIGURES);
        this.figures = all.stream().filter(this::isMeasured).toList();
        this.operations = operations().map(OperationSummary::name).distinct().count() > 1;
        this.repeated = summary.steps().stream().anyMatch(step -> step.trials() > 1);
    }

    /**
     * The table.
     *
     * @param pages the addresses of trials' pages, where they are known
     */
    static String of(SweepResult sweep, SweepAxes varied, Function<TrialRow, Optional<String>> pages) {
        StepFigures table = new StepFigures(sweep, varied, pages);
        table.write();
        return table.out.toString();
    }

    private boolean isMeasured(String figure) {
        return operations().anyMatch(of -> of.figures().containsKey(figure));
    }

    private Stream<OperationSummary> operations() {
        return summary.steps().stream().flatMap(step -> step.operations().stream());
    }

    private void write() {
        boolean threads = varied.names().equals(List.of(Step.THREADS));
        out.append(
                """
                <div class="scroll" tabindex="0" role="region" aria-label="Table: Steps">
                <table class="steps">
                <thead><tr><th scope="col">%s</th>%s"""
                        .formatted(
                                threads ? varied.title() : "step",
                                operations ? "<th scope=\"col\">operation</th>" : ""));
        List<String> headings = new ArrayList<>();
        figures.forEach(figure -> headings.add(varied.column(figure).heading()));
        if (repeated) {
            headings.addAll(List.of("trials", "confidence (%)"));
        }
        int columns = headings.size() + (operations ? 1 : 0);
        headings.forEach(heading -> out.append("<th scope=\"col\" class=\"n\">")
                .append(Html.text(heading))
                .append("</th>"));
        out.append("<th scope=\"col\">measurement</th><th scope=\"col\">pages</th></tr></thead>\n<tbody>\n");
        for (StepSummary step : summary.steps()) {
            String name = threads ? Integer.toString(step.threads()) : varied.text(step.step());
            step.operations().forEach(of -> row(name.isEmpty() ? "1" : name, step, of));
            if (step.operations().isEmpty()) {
                out.append("<tr><th scope=\"row\">")
                        .append(Html.step(name.isEmpty() ? "1" : name))
                        .append("</th>")
                        .append("<td></td>".repeat(columns))
                        .append(trials(step))
                        .append("</tr>\n");
            }
        }
        out.append("</tbody>\n</table>\n</div>\n");
    }

    private void row(String name, StepSummary step, OperationSummary of) {
        out.append("<tr><th scope=\"row\">").append(Html.step(name)).append("</th>");
        if (operations) {
            out.append("<td><bdi>").append(Html.text(of.name())).append("</bdi></td>");
        }
        figures.forEach(figure -> cell(of.figures().get(figure), figure));
        if (repeated) {
            Spread rate = of.figures().get("ops_per_second");
            boolean certain = rate != null && rate.trials() > 1;
            out.append("<td class=\"n\">").append(step.trials()).append("</td><td class=\"n\">");
            out.append(certain ? number("%.1f", 100 * rate.coverage()) : "").append("</td>");
        }
        out.append(trials(step)).append("</tr>\n");
    }

    /** The worst verdict of a step's trials, and their pages. */
    private String trials(StepSummary step) {
        Map<Integer, TrialRow> first = new LinkedHashMap<>();
        sweep.rows().stream()
                .filter(row -> row.step() == step.step().number())
                .forEach(row -> first.putIfAbsent(row.trial(), row));
        String links = first.values().stream()
                .map(row -> link(row, "trial " + row.trial() + (row.isOk() ? "" : " (failed)")))
                .collect(Collectors.joining(", "));
        return "<td>" + Html.status(SweepTables.status(sweep.rows(), step)) + "</td><td>" + links + "</td>";
    }

    private String link(TrialRow row, String name) {
        return pages.apply(row).map(page -> Html.link(page, name)).orElse(Html.text(name));
    }

    private void cell(Spread of, String figure) {
        if (of == null) {
            boolean percentile = figure.matches("p\\d+_ms");
            out.append("<td class=\"n few\">")
                    .append(percentile ? Missing.TOO_FEW : Missing.NOT_MEASURED)
                    .append("</td>");
            return;
        }
        Column column = varied.column(figure);
        String exact = column.write(of.median());
        String interval = "";
        if (of.trials() > 1) {
            exact += number(" [%s..%s]", column.write(of.low()), column.write(of.high()));
            interval = number(
                    "<span class=\"few\">%s – %s</span>", Significant.text(of.low()), Significant.text(of.high()));
        }
        out.append("<td class=\"n\" data-v=\"").append(Html.text(exact)).append("\">");
        out.append(Significant.text(of.median())).append(interval).append("</td>");
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
