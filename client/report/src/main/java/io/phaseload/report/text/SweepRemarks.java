package io.phaseload.report.text;

import io.phaseload.stats.LittlesLaw;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.Scalability;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What is to be said of a sweep's figures: laws, what wasn't measured, verdicts. */
final class SweepRemarks {

    private final SweepResult sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final List<String> lines = new ArrayList<>();

    private SweepRemarks(SweepResult sweep) {
        this.sweep = sweep;
        this.rows = sweep.rows();
        this.summary = sweep.summary();
    }

    /** Lines without their ends; one that begins with a blank belongs to the one before. */
    static List<String> of(SweepResult sweep) {
        SweepRemarks remarks = new SweepRemarks(sweep);
        remarks.scalability();
        remarks.littlesLaw();
        remarks.failures();
        remarks.verdicts();
        return remarks.lines;
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
            if (fit.isPoor()) {
                line(
                        format(
                                "  A poor fit, R² below %.1f: it says nothing of a peak or of more"
                                        + " clients.",
                                ScalabilityFit.LEAST_R_SQUARED));
                continue;
            }
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
        sweep.missing()
                .ifPresent(
                        count ->
                                line(
                                        format(
                                                "INCOMPLETE: trials.csv lacks %d of the %d trials"
                                                        + " of a sweep that was finished.",
                                                count,
                                                sweep.steps().size() * sweep.info().trials())));
        for (StepSummary step : summary.steps()) {
            for (String reason : step.failures()) {
                line("Failed: " + label(step) + ": " + reason);
            }
        }
        for (SweepResult.Skipped skipped : sweep.skipped()) {
            line("Not run: " + sweep.info().describe(skipped.step()) + ": " + skipped.reason());
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

    private void line(String text) {
        lines.add(text);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
