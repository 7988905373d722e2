package io.phaseload.report;

import io.phaseload.report.Html.Markup;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.tables.runs.SweepAxes;
import io.phaseload.report.tables.runs.SweepTables;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
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

    private StepFigures(SweepResult sweep, SweepAxes varied, Function<TrialRow, Optional<String>> pages) {
        this.sweep = sweep;
        this.pages = pages;
        this.summary = sweep.summary();
        this.varied = varied;
        Set<String> all = new LinkedHashSet<>(sweep.metrics());
        all.addAll(FIRST);
        all.addAll(SweepSummary.FIGURES);
        this.figures = all.stream().filter(this::isMeasured).toList();
    }

    /**
     * The table.
     *
     * @param pages the addresses of trials' pages, where they are known
     */
    static String of(SweepResult sweep, SweepAxes varied, Function<TrialRow, Optional<String>> pages) {
        return Html.table("Steps", new StepFigures(sweep, varied, pages).table(), " class=\"steps\"");
    }

    private boolean isMeasured(String figure) {
        return operations().anyMatch(of -> of.figures().containsKey(figure));
    }

    private Stream<OperationSummary> operations() {
        return SweepTables.operations(summary);
    }

    private Table table() {
        boolean threads = varied.names().equals(List.of(Step.THREADS));
        Columns<Row> columns = new Columns<Row>()
                .add(
                        new Column("step", threads ? varied.title() : "step", "", Column.TEXT),
                        row -> name(
                                threads
                                        ? Integer.toString(row.step().threads())
                                        : varied.text(row.step().step())));
        if (operations().map(OperationSummary::name).distinct().count() > 1) {
            columns.text("operation", row -> row.cell(OperationSummary::name));
        }
        figures.forEach(figure -> columns.add(
                varied.column(figure), row -> row.cell(of -> cell(of.figures().get(figure), figure))));
        if (summary.steps().stream().anyMatch(step -> step.trials() > 1)) {
            columns.count("trials", row -> row.cell(of -> row.step().trials()))
                    .add(new Column("confidence", "confidence", "%", 1), row -> row.cell(StepFigures::confidence));
        }
        return columns.text("measurement", row -> status(row.step()))
                .text("pages", row -> trials(row.step()))
                .table("steps", summary.steps().stream().flatMap(StepFigures::rows));
    }

    /** An operation in a step, or a step without figures. */
    private record Row(StepSummary step, Optional<OperationSummary> of) {

        Object cell(Function<OperationSummary, Object> figure) {
            return of.map(figure).orElse(new Markup("", ""));
        }
    }

    private static Stream<Row> rows(StepSummary step) {
        return step.operations().isEmpty()
                ? Stream.of(new Row(step, Optional.empty()))
                : step.operations().stream().map(of -> new Row(step, Optional.of(of)));
    }

    private static Markup name(String name) {
        return new Markup("", Html.step(name.isEmpty() ? "1" : name));
    }

    private static Markup confidence(OperationSummary of) {
        Spread rate = of.figures().get("ops_per_second");
        boolean certain = rate != null && rate.trials() > 1;
        return new Markup(" class=\"n\"", certain ? TextFormat.format("%.1f", 100 * rate.coverage()) : "");
    }

    /** The worst verdict of a step's trials. */
    private Markup status(StepSummary step) {
        return new Markup("", Html.status(SweepTables.status(sweep.rows(), step)));
    }

    /** The pages of a step's trials. */
    private Markup trials(StepSummary step) {
        Map<Integer, TrialRow> first = new LinkedHashMap<>();
        sweep.rows().stream()
                .filter(row -> row.step() == step.step().number())
                .forEach(row -> first.putIfAbsent(row.trial(), row));
        return new Markup(
                "",
                first.values().stream()
                        .map(row -> link(row, "trial " + row.trial() + (row.isOk() ? "" : " (failed)")))
                        .collect(Collectors.joining(", ")));
    }

    private String link(TrialRow row, String name) {
        return pages.apply(row).map(page -> Html.link(page, name)).orElse(Html.text(name));
    }

    private Markup cell(Spread of, String figure) {
        if (of == null) {
            Missing missing = figure.matches("p\\d+_ms") ? Missing.TOO_FEW : Missing.NOT_MEASURED;
            return new Markup(" class=\"n few\"", missing.toString());
        }
        Column column = varied.column(figure);
        String exact = column.write(of.median());
        String interval = "";
        if (of.trials() > 1) {
            exact += TextFormat.format(" [%s..%s]", column.write(of.low()), column.write(of.high()));
            interval = TextFormat.format(
                    "<span class=\"few\">%s – %s</span>", Significant.text(of.low()), Significant.text(of.high()));
        }
        return new Markup(" class=\"n\" data-v=\"" + Html.text(exact) + "\"", Significant.text(of.median()) + interval);
    }
}
