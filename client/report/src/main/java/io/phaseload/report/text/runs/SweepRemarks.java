package io.phaseload.report.text.runs;

import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.text.DiagnosisLines;
import io.phaseload.report.text.Reasons;
import io.phaseload.stats.LittlesLaw;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.Scalability;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Remarks on a sweep's figures: laws, missing measurements, verdicts. */
public final class SweepRemarks {

    private final SweepResult sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final List<String> lines = new ArrayList<>();

    private SweepRemarks(SweepResult sweep) {
        this.sweep = sweep;
        this.rows = sweep.rows();
        this.summary = sweep.summary();
    }

    /** All remarks, one line each, without line ends. */
    static List<String> of(SweepResult sweep) {
        SweepRemarks remarks = new SweepRemarks(sweep);
        remarks.scalability();
        remarks.littlesLaw();
        remarks.failures();
        remarks.verdicts();
        return remarks.lines;
    }

    /**
     * How throughput grows with clients.
     *
     * @return one line each, without line ends
     */
    public static List<String> laws(SweepResult sweep) {
        SweepRemarks remarks = new SweepRemarks(sweep);
        remarks.scalability();
        return remarks.lines;
    }

    /**
     * Figures that weren't measured, with the reason.
     *
     * @return one line each, without line ends; empty if nothing is missing
     */
    public static List<String> notMeasured(SweepResult sweep) {
        SweepRemarks remarks = new SweepRemarks(sweep);
        remarks.failures();
        return remarks.lines;
    }

    private void scalability() {
        for (Scalability of : summary.scalability()) {
            String group = of.group().isEmpty() ? "" : " (" + Step.text(of.group()) + ")";
            if (of.fit().isEmpty()) {
                line(
                        "Scalability%s: n too small: %d different numbers of clients, %d needed",
                        group, of.steps(), ScalabilityFit.LEAST_STEPS);
                continue;
            }
            ScalabilityFit fit = of.fit().get();
            line(
                    "Scalability%s: contention %.4f [%.4f..%.4f], coherency %.6f [%.6f..%.6f]",
                    group,
                    fit.law().sigma(),
                    fit.sigma().low(),
                    fit.sigma().high(),
                    fit.law().kappa(),
                    fit.kappa().low(),
                    fit.kappa().high());
            line("Fit%s: R² %.3f; %s", group, fit.rSquared(), peak(fit));
            Diagnoses.of(fit)
                    .ifPresent(found -> line("Diagnosis%s: %s %s", group, DiagnosisLines.claim(found), found.advice()));
        }
    }

    private static String peak(ScalabilityFit fit) {
        if (fit.isPoor()) {
            return TextFormat.format(
                    "below %.1f is poor and says nothing about a peak", ScalabilityFit.LEAST_R_SQUARED);
        }
        if (fit.peak().isPresent()) {
            return TextFormat.format(
                    "most throughput at %.0f clients [%.0f..%s], knee at %.0f",
                    fit.peak().getAsDouble(),
                    fit.peakInterval().low(),
                    users(fit.peakInterval().high()),
                    fit.knee().orElse(Double.NaN));
        }
        return TextFormat.format(
                "no peak up to %.0f clients, twice the most measured%s",
                2 * fit.mostUsers(),
                fit.knee().isPresent()
                        ? TextFormat.format("; knee at %.0f", fit.knee().getAsDouble())
                        : "");
    }

    private static String users(double number) {
        return Double.isFinite(number) ? TextFormat.format("%.0f", number) : "∞";
    }

    private void littlesLaw() {
        List<StepSummary> audited = summary.steps().stream()
                .filter(step -> step.littlesLaw().isPresent())
                .toList();
        List<StepSummary> off = audited.stream()
                .filter(step ->
                        new LittlesLaw(1, 1, step.littlesLaw().orElseThrow()).audit() != LittlesLaw.Audit.ACCOUNTED)
                .toList();
        if (!audited.isEmpty()) {
            line(
                    "Little's law: %d of %d steps account for the clients' time within 5 %%",
                    audited.size() - off.size(), audited.size());
            off.forEach(step -> line(
                    "Little's law, %s: %.1f %% of the clients' time",
                    label(step), 100 * step.littlesLaw().orElseThrow()));
        }
    }

    private void failures() {
        sweep.missing()
                .ifPresent(count -> line(
                        "INCOMPLETE: trials.csv lacks %d of the %d trials of a" + " finished sweep",
                        count, sweep.steps().size() * sweep.info().trials()));
        for (StepSummary step : summary.steps()) {
            step.failures().forEach(reason -> line("Failed: %s: %s", label(step), reason));
        }
        for (SweepResult.Skipped skipped : sweep.skipped()) {
            line("Not run: %s: %s", sweep.info().describe(skipped.step()), skipped.reason());
        }
    }

    private void verdicts() {
        Map<String, Long> counts = rows.stream()
                .filter(row -> !row.text(TrialRow.VERDICT).isEmpty())
                .collect(Collectors.groupingBy(
                        row -> row.text(TrialRow.VERDICT),
                        TreeMap::new,
                        Collectors.mapping(
                                SweepRemarks::trial,
                                Collectors.collectingAndThen(Collectors.toSet(), trials -> (long) trials.size()))));
        for (String outcome : List.of("failed", "undecided")) {
            long trials = rows.stream()
                    .filter(row -> row.text(TrialRow.THRESHOLDS).equals(outcome))
                    .map(SweepRemarks::trial)
                    .distinct()
                    .count();
            if (trials > 0) {
                line("Thresholds: %d trials with one %s; see their folders", trials, outcome);
            }
        }
        line(
                "Verdicts: %s%s",
                counts.isEmpty()
                        ? "none"
                        : counts.entrySet().stream()
                                .map(count -> count.getValue() + " " + count.getKey())
                                .collect(Collectors.joining(", ")),
                sweep.finished() ? "" : "; the sweep isn't finished");
        reasons();
    }

    /**
     * The reasons of the verdicts, each with the number of its trials.
     *
     * @return one line each, the most frequent first; empty if all are VALID
     */
    public static List<String> reasons(SweepResult sweep) {
        SweepRemarks remarks = new SweepRemarks(sweep);
        remarks.reasons();
        return remarks.lines;
    }

    private void reasons() {
        Map<String, Long> trials = rows.stream()
                .flatMap(row -> Stream.of(row.text(TrialRow.VERDICT_REASONS).split(" "))
                        .filter(id -> !id.isEmpty())
                        .map(id -> Map.entry(id, trial(row))))
                .distinct()
                .collect(Collectors.groupingBy(Map.Entry::getKey, LinkedHashMap::new, Collectors.counting()));
        trials.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(of -> line(
                        "%s: %d %s",
                        Reasons.title(of.getKey()).orElse(of.getKey().replace('-', ' ')),
                        of.getValue(),
                        of.getValue() == 1 ? "trial" : "trials"));
    }

    private static String trial(TrialRow row) {
        return row.step() + "/" + row.trial();
    }

    private static String label(StepSummary step) {
        return step.step().values().isEmpty()
                ? "threads=" + step.threads()
                : step.step().toString();
    }

    private void line(String pattern, Object... values) {
        lines.add(TextFormat.format(pattern, values));
    }
}
