package io.phaseload.report.junit;

import io.phaseload.ab.AbComparison;
import io.phaseload.ab.FigureEffect;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Side;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.junit.TestSuite.Case;
import io.phaseload.report.junit.TestSuite.CaseStatus;
import io.phaseload.report.tables.runs.ComparisonTables;
import io.phaseload.report.text.runs.AbReport;
import io.phaseload.report.text.runs.CapacityReport;
import io.phaseload.report.text.runs.ComparisonReport;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.ThresholdResult.Evidence;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.result.store.StoredRun;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Results as test suites for CI systems. A case fails exactly where the exit code isn't 0: an undecided threshold does,
 * of type {@code undecided}, and an undecided change doesn't.
 */
public final class TestSuites {

    private static final String MEASUREMENT = "measurement";
    private static final String THRESHOLD = "threshold";
    private static final String UNDECIDED = "undecided";

    private TestSuites() {}

    /**
     * For a run: its measurement, then its thresholds.
     *
     * @param result of the run
     * @return the suite
     */
    public static TestSuite of(Result result) {
        return of(result.plan().name(), result, Map.of());
    }

    /**
     * For a sweep: whether it is complete, then each finished trial. A trial that failed as a whole is skipped: the
     * sweep went on without it.
     *
     * @param sweep the sweep, finished or not
     * @param folder the sweep's folder
     * @return one suite for the sweep, and one per trial, by step
     * @throws IOException if the folder can't be read
     */
    public static List<TestSuite> of(SweepResult sweep, Path folder) throws IOException {
        List<TestSuite> suites = new ArrayList<>();
        for (Step step : sweep.steps()) {
            for (int number = 1; number <= sweep.info().trials(); number++) {
                Trial trial = new Trial(step, number);
                Optional<TrialRow> row =
                        sweep.rows().stream().filter(of -> of.isOf(trial)).findFirst();
                if (row.isPresent()) {
                    suites.add(trial(sweep, trial, row.get(), folder));
                }
            }
        }
        suites.add(0, sweep(sweep));
        return suites;
    }

    private static TestSuite sweep(SweepResult sweep) {
        Optional<String> problem = !sweep.finished()
                ? Optional.of("the sweep isn't finished")
                : sweep.rows().stream().noneMatch(TrialRow::isOk)
                        ? Optional.of("no trial was measured")
                        : Optional.empty();
        Case measurement = problem.map(why -> Case.failed(sweep.name(), MEASUREMENT, "sweep", why))
                .orElse(Case.passed(sweep.name(), MEASUREMENT));
        return new TestSuite(
                sweep.name(), sweep.info().startedAt(), sweep.info().environment(), Map.of(), List.of(measurement));
    }

    private static TestSuite trial(SweepResult sweep, Trial trial, TrialRow row, Path folder) throws IOException {
        String name = sweep.name() + "." + trial.folder().replace('/', '.');
        Map<String, String> values = trial.step().values();
        if (row.isOk()) {
            StoredRun run = StoredRun.read(folder.resolve(trial.folder()));
            return of(name, run.result(), values);
        }
        String reason = row.text("reason");
        Case failed = Case.skipped(name, MEASUREMENT, "trial", reason);
        return new TestSuite(
                name, Instant.parse(row.text("measured_on")), sweep.info().environment(), values, List.of(failed));
    }

    /**
     * For a comparison: each figure, which fails if it is a regression.
     *
     * @param comparison the comparison
     * @return the suite
     */
    public static TestSuite of(Comparison comparison, Tolerance limit) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("A", comparison.a().name());
        properties.put("B", comparison.b().name());
        Side.Trial first = comparison.b().trials().get(0);
        return new TestSuite(
                comparison.b().name() + " against " + comparison.a().name(),
                first.result().startedAt(),
                first.result().environment(),
                properties,
                comparison.changes().stream()
                        .map(change -> change(comparison, change, limit))
                        .toList());
    }

    /**
     * For a search for a capacity: whether it has an answer.
     *
     * @param result the search
     * @return the suite
     */
    public static TestSuite of(CapacityResult result) {
        boolean answered = result.finished() && result.answer().isPresent();
        Case answer = answered
                ? Case.passed(result.name(), "capacity")
                : Case.failed(result.name(), "capacity", "search", CapacityReport.sentence(result));
        return new TestSuite(
                result.name(),
                result.startedAt(),
                result.environment(),
                Map.of("answer", CapacityReport.sentence(result)),
                List.of(answer));
    }

    /**
     * For a comparison of interleaved runs: its decision, then each figure that decides, which fails if it is a
     * regression.
     *
     * @param comparison the comparison
     * @return the suite
     */
    public static TestSuite of(AbComparison comparison) {
        String name = comparison.b() + " against " + comparison.a();
        List<Case> cases = new ArrayList<>();
        cases.add(
                comparison.judgement().outcome().isConclusion()
                        ? Case.passed(name, MEASUREMENT)
                        : Case.failed(name, MEASUREMENT, "control", AbReport.sentence(comparison)));
        for (FigureEffect of : comparison.judgement().effects()) {
            if (of.decides()) {
                String figure = of.figure().key();
                cases.add(
                        of.isRegression()
                                ? Case.failed(
                                        name,
                                        figure,
                                        "regression",
                                        AbReport.with(of.effect().orElseThrow()))
                                : Case.passed(name, figure));
            }
        }
        return new TestSuite(name, comparison.startedAt(), comparison.environment(), Map.of(), cases);
    }

    private static TestSuite of(String name, Result result, Map<String, String> values) {
        Map<String, String> properties = new LinkedHashMap<>(values);
        properties.putAll(result.plan().labels());
        properties.put("phaseload", result.environment().phaseloadVersion());
        properties.put("java", result.environment().javaVersion());
        properties.put("os", result.environment().os());
        List<Case> cases = new ArrayList<>();
        cases.add(measurement(name, result));
        result.thresholds().forEach(threshold -> cases.add(threshold(name, threshold)));
        return new TestSuite(
                name,
                result.startedAt(),
                result.totals().wall(),
                result.environment().host(),
                properties,
                cases);
    }

    private static Case measurement(String name, Result result) {
        boolean aborted = result.thresholds().stream().anyMatch(ThresholdResult::aborted);
        boolean cutShort = result.interrupted() && !aborted;
        boolean allFailed = result.totals().allFailed();
        CaseStatus status = result.fault().isPresent()
                ? CaseStatus.ERROR
                : cutShort || allFailed
                        ? CaseStatus.FAILED
                        : switch (result.verdict().status()) {
                            case VALID -> CaseStatus.PASSED;
                            case SUSPECT -> CaseStatus.SKIPPED;
                            case INVALID -> CaseStatus.FAILED;
                        };
        Verdict verdict = result.verdict();
        String message = status == CaseStatus.PASSED
                ? ""
                : (allFailed ? "No request succeeded. " : "")
                        + verdict.status()
                        + (verdict.findings().isEmpty() ? "" : ": ")
                        + String.join(" ", verdict.texts());
        return new Case(
                name, MEASUREMENT, status, "verdict", message, result.totals().wall());
    }

    private static Case threshold(String name, ThresholdResult threshold) {
        String phase = threshold.phase().map(of -> "." + of).orElse("");
        if (threshold.passed()) {
            return Case.passed(name + phase, threshold.expression());
        }
        return Case.failed(
                name + phase,
                threshold.expression(),
                threshold.outcome() == Outcome.UNDECIDED ? UNDECIDED : THRESHOLD,
                "expected %s, observed: %s%s"
                        .formatted(
                                threshold.expression(),
                                threshold.observedText(),
                                threshold
                                        .evidence()
                                        .map(of -> evidence(threshold, of))
                                        .orElse("")));
    }

    private static String evidence(ThresholdResult threshold, Evidence of) {
        return "; interval %s %s (%s %%), n %d, worth %d independent ones"
                .formatted(
                        threshold.intervalText(),
                        threshold.unit(),
                        Significant.text(100 * of.coverage()),
                        of.samples(),
                        of.effectiveSamples());
    }

    private static Case change(Comparison comparison, Change change, Tolerance limit) {
        String className = "compare." + change.phase();
        String name = "%s: %s"
                .formatted(ComparisonTables.operation(change), change.figure().key());
        if (change.effect().isEmpty()) {
            return Case.skipped(className, name, "regression", change.reason());
        }
        return change.isWorseBy(limit)
                ? Case.failed(className, name, "regression", ComparisonReport.regression(comparison, change, limit))
                : Case.passed(className, name);
    }
}
