package io.phaseload.sweep;

import io.phaseload.result.Markdown;
import io.phaseload.result.TextTable;
import io.phaseload.stats.LittlesLaw;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.SweepSummary.OperationSummary;
import io.phaseload.sweep.SweepSummary.Spread;
import io.phaseload.sweep.SweepSummary.StepSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sweep for people, as text and as Markdown: for each operation the published table, then what it
 * is worth.
 */
public final class SweepReport {

    /** Columns with intervals within a run, by the percentile's. */
    private static final List<String> PERCENTILES = List.of("p50", "p95", "p99");

    private final Sweep sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final List<String> varied;
    private final StringBuilder out = new StringBuilder();

    private SweepReport(Sweep sweep, List<TrialRow> rows) {
        this.sweep = sweep;
        this.rows = rows;
        this.summary = sweep.summary(rows);
        this.varied =
                sweep.steps().get(0).values().keySet().stream()
                        .filter(name -> !name.equals(Step.THREADS))
                        .filter(name -> isVaried(sweep, name))
                        .toList();
    }

    private static boolean isVaried(Sweep sweep, String name) {
        return sweep.steps().stream().map(step -> step.values().get(name)).distinct().count() > 1;
    }

    /**
     * The report.
     *
     * @param sweep what was run
     * @param rows of the trials that are over
     * @return lines that each end in a line feed
     */
    public static String write(Sweep sweep, List<TrialRow> rows) {
        SweepReport report = new SweepReport(sweep, rows);
        report.operations().forEach(report::operation);
        report.remarks();
        return report.out.toString();
    }

    /**
     * The summary, for a pull request or the summary of a job.
     *
     * @param sweep what was run
     * @param rows of the trials that are over
     * @return Markdown, lines that each end in a line feed
     */
    public static String markdown(Sweep sweep, List<TrialRow> rows) {
        SweepReport report = new SweepReport(sweep, rows);
        report.line("## Phaseload: " + Markdown.text(sweep.name()));
        for (String operation : report.operations()) {
            report.line("\n### " + Markdown.text(operation) + "\n");
            report.clients(operation).appendMarkdownTo(report.out);
        }
        report.line("");
        SweepReport remarks = new SweepReport(sweep, rows);
        remarks.remarks();
        remarks.out
                .toString()
                .lines()
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

    private void remarks() {
        scalability();
        littlesLaw();
        failures();
        verdicts();
    }

    private void operation(String name) {
        line(name);
        clients(name).appendTo(out);
        if (sweep.trials() > 1) {
            acrossTrials(name);
        } else {
            withinRuns(name);
        }
        line("");
    }

    /** A time is the median of the trials', the maximum that of all. */
    private TextTable clients(String name) {
        TextTable table =
                table("total_ops", "op/s", "med", ".95", ".99", "max", "op_time", "failed %");
        for (StepSummary step : summary.steps()) {
            for (OperationSummary operation : named(step, name)) {
                row(
                        table,
                        step,
                        Long.toString(operation.totalOps()),
                        format("%.1f", operation.median(TrialRow.OPS_PER_SECOND)),
                        time(operation.median(TrialRow.P50_MS)),
                        time(operation.median(TrialRow.P95_MS)),
                        time(operation.median(TrialRow.P99_MS)),
                        operation.figures().containsKey(TrialRow.MAX_MS)
                                ? time(operation.figures().get(TrialRow.MAX_MS).max())
                                : "n/a",
                        format("%.3f", operation.wallSeconds()),
                        format(
                                "%.2f",
                                operation.totalOps() == 0
                                        ? 0
                                        : 100.0 * operation.failed() / operation.totalOps()));
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
                "Median of the trials' figures [where the true one lies]; fewer than 6 trials are less"
                        + " certain than 95 %:");
        table.appendTo(out);
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
        table.appendTo(out);
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

    private void scalability() {
        for (Scalability of : summary.scalability()) {
            String group = of.group().isEmpty() ? "" : " (" + Step.text(of.group()) + ")";
            ScalabilityFit fit = of.fit();
            if (fit == null) {
                line(
                        format(
                                "Scalability%s: n too small: %d different numbers of clients, %d"
                                        + " needed.",
                                group, of.steps(), ScalabilityFit.LEAST_STEPS));
                continue;
            }
            line(
                    format(
                            "Scalability%s: contention %.4f [%.4f..%.4f], coherency %.6f"
                                    + " [%.6f..%.6f], R² %.3f.",
                            group,
                            fit.law().sigma(),
                            fit.sigma().low(),
                            fit.sigma().high(),
                            fit.law().kappa(),
                            fit.kappa().low(),
                            fit.kappa().high(),
                            fit.rSquared()));
            line(
                    fit.peak().isPresent()
                            ? format(
                                    "  Most throughput at %.0f clients [%.0f..%s], knee at %.0f.",
                                    fit.peak().getAsDouble(),
                                    fit.peakInterval().low(),
                                    users(fit.peakInterval().high()),
                                    fit.knee().orElse(Double.NaN))
                            : format(
                                    "  No peak up to %.0f clients, twice the most that were"
                                            + " measured%s.",
                                    2 * fit.mostUsers(),
                                    fit.knee().isPresent()
                                            ? format("; knee at %.0f", fit.knee().getAsDouble())
                                            : ""));
        }
    }

    private static String users(double number) {
        return Double.isFinite(number) ? format("%.0f", number) : "∞";
    }

    private void littlesLaw() {
        List<String> off = new ArrayList<>();
        int audited = 0;
        for (StepSummary step : summary.steps()) {
            if (step.littlesLaw() != null) {
                audited++;
                LittlesLaw.Audit audit = new LittlesLaw(1, 1, step.littlesLaw()).audit();
                if (audit != LittlesLaw.Audit.ACCOUNTED) {
                    off.add(
                            format(
                                    "  %s: %.1f %% of the clients' time is in the figures.",
                                    label(step), 100 * step.littlesLaw()));
                }
            }
        }
        if (audited > 0) {
            line(
                    format(
                            "Little's law: %d of %d steps account for the clients' time within"
                                    + " 5 %%.",
                            audited - off.size(), audited));
            off.forEach(this::line);
        }
    }

    private void failures() {
        for (StepSummary step : summary.steps()) {
            for (String reason : step.failures()) {
                line("Failed: " + label(step) + ": " + reason);
            }
        }
        for (Sweep.Skipped skipped : sweep.skipped()) {
            line("Not run: " + sweep.describe(skipped.step()) + ": " + skipped.reason());
        }
    }

    private void verdicts() {
        Map<String, Long> counts =
                rows.stream()
                        .filter(row -> !row.text(TrialRow.VERDICT).isEmpty())
                        .collect(
                                Collectors.groupingBy(
                                        row -> row.text(TrialRow.VERDICT),
                                        Collectors.mapping(
                                                row -> row.step() + "/" + row.trial(),
                                                Collectors.collectingAndThen(
                                                        Collectors.toSet(),
                                                        trials -> (long) trials.size()))));
        long failed =
                rows.stream()
                        .filter(row -> row.text(TrialRow.THRESHOLDS).equals("failed"))
                        .map(row -> row.step() + "/" + row.trial())
                        .distinct()
                        .count();
        if (failed > 0) {
            line("Thresholds: " + failed + " trials failed one; see their folders.");
        }
        Set<String> statuses = new TreeSet<>(counts.keySet());
        line(
                "Verdicts: "
                        + (statuses.isEmpty()
                                ? "none"
                                : statuses.stream()
                                        .map(status -> counts.get(status) + " " + status)
                                        .collect(Collectors.joining(", ")))
                        + (sweep.finished() ? "" : "; the sweep isn't finished"));
    }

    private static String label(StepSummary step) {
        return step.step().values().isEmpty()
                ? "threads=" + step.threads()
                : step.step().toString();
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

    private static String time(double millis) {
        return Double.isNaN(millis) ? "n too small" : format("%.3f", millis);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
