package io.phaseload.report.text;

import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A sweep for people, as text and as Markdown: for each operation the published table, then what it
 * is worth.
 */
public final class SweepReport {

    /** Columns with intervals within a run, by the percentile's. */
    private static final List<String> PERCENTILES = List.of("p50", "p95", "p99");

    private final SweepResult sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final List<String> varied;
    private final StringBuilder out = new StringBuilder();
    private final int columns;

    private SweepReport(SweepResult sweep) {
        this(sweep, TextTable.WIDE);
    }

    private SweepReport(SweepResult sweep, int columns) {
        this.columns = columns;
        this.sweep = sweep;
        this.rows = sweep.rows();
        this.summary = sweep.summary();
        this.varied =
                sweep.steps().stream()
                        .flatMap(step -> step.values().keySet().stream())
                        .distinct()
                        // Threads have a column of their own; a length belongs to its load.
                        .filter(name -> !name.equals(Step.THREADS) && !name.equals(Step.DURATION))
                        .filter(name -> isVaried(sweep, name))
                        .toList();
    }

    private static boolean isVaried(SweepResult sweep, String name) {
        return sweep.steps().stream().map(step -> step.values().get(name)).distinct().count() > 1;
    }

    /**
     * The report.
     *
     * @param sweep what was run
     * @return lines that each end in a line feed
     */
    public static String write(SweepResult sweep) {
        return write(sweep, TextTable.WIDE);
    }

    /**
     * The report, its tables folded where they would be wider.
     *
     * @param sweep what was run
     * @param columns as {@link TextTable#appendTo(StringBuilder, int)} takes them
     * @return lines that each end in a line feed
     */
    public static String write(SweepResult sweep, int columns) {
        SweepReport report = new SweepReport(sweep, columns);
        report.operations().forEach(report::operation);
        SweepRemarks.of(sweep).forEach(report::line);
        return report.out.toString();
    }

    /**
     * The summary, for a pull request or the summary of a job.
     *
     * @param sweep what was run
     * @return Markdown, lines that each end in a line feed
     */
    public static String markdown(SweepResult sweep) {
        SweepReport report = new SweepReport(sweep);
        report.line("## Phaseload: " + Markdown.text(sweep.name()));
        for (String operation : report.operations()) {
            report.line("\n### " + Markdown.text(operation) + "\n");
            report.clients(operation).appendMarkdownTo(report.out);
        }
        report.line("");
        SweepRemarks.of(sweep).stream()
                .map(
                        line ->
                                (line.startsWith(" ") ? "  " : "")
                                        + "- "
                                        + Markdown.text(line.strip()))
                .forEach(report::line);
        return report.out.toString();
    }

    private List<String> operations() {
        return rows.stream().filter(TrialRow::isOk).map(TrialRow::operation).distinct().toList();
    }

    private void operation(String name) {
        line(name);
        clients(name).appendTo(out, this.columns);
        if (sweep.info().trials() > 1) {
            acrossTrials(name);
        } else {
            withinRuns(name);
        }
        line("");
    }

    /** A time is the median of the trials', the maximum that of all. */
    private TextTable clients(String name) {
        List<String> header =
                new ArrayList<>(
                        List.of(
                                "total_ops",
                                "op/s",
                                "mean",
                                "med",
                                ".95",
                                ".99",
                                "max",
                                "op_time",
                                "failed %"));
        header.addAll(sweep.metrics());
        TextTable table = table(header.toArray(String[]::new));
        for (StepSummary step : summary.steps()) {
            for (OperationSummary operation : named(step, name)) {
                List<String> cells = new ArrayList<>();
                cells.add(Long.toString(operation.totalOps()));
                cells.add(format("%.1f", operation.median(TrialRow.OPS_PER_SECOND)));
                Stream.of(TrialRow.MEAN_MS, TrialRow.P50_MS, TrialRow.P95_MS, TrialRow.P99_MS)
                        .forEach(column -> cells.add(number(operation.median(column))));
                Spread longest = operation.figures().get(TrialRow.MAX_MS);
                cells.add(longest == null ? "n/a" : number(longest.max()));
                cells.add(format("%.3f", operation.wallSeconds()));
                cells.add(
                        format(
                                "%.2f",
                                operation.totalOps() == 0
                                        ? 0
                                        : 100.0 * operation.failed() / operation.totalOps()));
                for (String metric : sweep.metrics()) {
                    double median = operation.median(metric);
                    cells.add(Double.isNaN(median) ? "n/a" : format("%.3f", median));
                }
                row(table, step, cells.toArray(String[]::new));
            }
        }
        return table;
    }

    private void acrossTrials(String name) {
        List<String> columns =
                new ArrayList<>(
                        List.of(
                                TrialRow.OPS_PER_SECOND,
                                TrialRow.P50_MS,
                                TrialRow.P95_MS,
                                TrialRow.P99_MS));
        columns.addAll(sweep.metrics());
        TextTable table =
                table(
                        Stream.concat(Stream.of("trials", "confidence"), columns.stream())
                                .toArray(String[]::new));
        for (StepSummary step : summary.steps()) {
            for (OperationSummary operation : named(step, name)) {
                List<String> cells = new ArrayList<>();
                cells.add(Integer.toString(step.trials()));
                cells.add(confidence(operation.figures()));
                columns.forEach(column -> cells.add(spread(operation.figures().get(column))));
                row(table, step, cells.toArray(String[]::new));
            }
        }
        line(
                "Median of the trials' figures [where the true one lies]; fewer than 6 trials are"
                        + " less certain than 95 %:");
        table.appendTo(out, this.columns);
    }

    private static String confidence(Map<String, Spread> figures) {
        Spread rates = figures.get(TrialRow.OPS_PER_SECOND);
        return rates == null ? "n/a" : format("%.1f %%", 100 * rates.coverage());
    }

    private static String spread(Spread spread) {
        return spread == null
                ? "n too small"
                : format("%.3f [%.3f..%.3f]", spread.median(), spread.low(), spread.high());
    }

    private void withinRuns(String name) {
        List<TrialRow> own =
                rows.stream()
                        .filter(row -> row.operation().equals(name))
                        .filter(row -> row.number("effective_n").isPresent())
                        .toList();
        if (own.isEmpty()) {
            return;
        }
        TextTable table = table("n", "effective n of med", "med", ".95", ".99");
        for (StepSummary step : summary.steps()) {
            for (TrialRow row : own) {
                if (row.step() == step.step().number()) {
                    List<String> cells =
                            new ArrayList<>(
                                    List.of(row.text(TrialRow.TOTAL_OPS), row.text("effective_n")));
                    PERCENTILES.forEach(percentile -> cells.add(interval(row, percentile)));
                    row(table, step, cells.toArray(String[]::new));
                }
            }
        }
        line("Percentiles [95 % interval], by the independent samples that each run is worth:");
        table.appendTo(out, this.columns);
    }

    private static String interval(TrialRow row, String percentile) {
        OptionalDouble value = row.number(percentile + "_ms");
        OptionalDouble low = row.number(percentile + "_low_ms");
        OptionalDouble high = row.number(percentile + "_high_ms");
        return value.isEmpty() || low.isEmpty() || high.isEmpty()
                ? "n too small"
                : format(
                        "%.3f [%.3f..%.3f]",
                        value.getAsDouble(), low.getAsDouble(), high.getAsDouble());
    }

    private static List<OperationSummary> named(StepSummary step, String name) {
        return step.operations().stream().filter(of -> of.name().equals(name)).toList();
    }

    private TextTable table(String... figures) {
        List<String> header = new ArrayList<>(varied);
        header.add("# clients");
        header.addAll(List.of(figures));
        return new TextTable(varied.size(), header.toArray(String[]::new));
    }

    private void row(TextTable table, StepSummary step, String... figures) {
        List<String> cells = new ArrayList<>();
        varied.forEach(name -> cells.add(step.step().values().getOrDefault(name, "")));
        cells.add(Integer.toString(step.threads()));
        cells.addAll(List.of(figures));
        table.row(cells.toArray(String[]::new));
    }

    private static String number(double millis) {
        return Double.isNaN(millis) ? "n too small" : format("%.3f", millis);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
