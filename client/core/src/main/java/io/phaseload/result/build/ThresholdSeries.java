package io.phaseload.result.build;

import io.phaseload.host.HostFigure;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Judges thresholds with the interval of each figure, for which a run's seconds are needed: of a run that is going, or
 * of one that is read back. Calls come one at a time.
 */
public final class ThresholdSeries implements RunListener {

    /** The phases and the operation of a figure. */
    private record Scoped(List<String> phases, int operation) {}

    private final Plan plan;
    private final List<Threshold> thresholds;
    private final List<String> names;
    private final Map<Scoped, Map<String, Blocks>> blocks = new LinkedHashMap<>();
    private final Runnable decided;
    private final double coverage;
    private final Map<String, Deque<Duration>> looks = new LinkedHashMap<>();
    private Duration inPhase = Duration.ZERO;

    /**
     * Of no interval yet.
     *
     * @param plan with thresholds
     */
    public ThresholdSeries(Plan plan) {
        this(plan, () -> {});
    }

    /**
     * Of a run that is going.
     *
     * @param plan with thresholds
     * @param decided ends the phase; called once no threshold is undecided at a look
     */
    public ThresholdSeries(Plan plan, Runnable decided) {
        this(plan, decided, plan.coverage());
    }

    private ThresholdSeries(Plan plan, Runnable decided, double coverage) {
        this.plan = plan;
        this.decided = decided;
        this.coverage = coverage;
        for (Phase phase : plan.phases()) {
            Deque<Duration> times = new ArrayDeque<>(plan.looks(phase));
            // The phase ends by itself at the last.
            times.pollLast();
            looks.put(phase.name(), times);
        }
        this.thresholds = plan.thresholdsInResult();
        this.names = plan.scenario().namesInResult();
        for (Threshold threshold : thresholds) {
            blocks.put(scope(threshold, threshold.operation()), new LinkedHashMap<>());
            threshold
                    .other()
                    .ifPresent(other ->
                            blocks.put(scope(threshold, Optional.of(other.operation())), new LinkedHashMap<>()));
        }
    }

    /**
     * Judges the thresholds of a run that is over.
     *
     * @param result of the run
     * @param intervals all of it
     * @return a copy
     */
    public static Result judged(Result result, List<Interval> intervals) {
        ThresholdSeries series = new ThresholdSeries(result.plan());
        intervals.forEach(series::interval);
        return series.judged(result);
    }

    /**
     * Judges other thresholds than a run's own.
     *
     * @param result of the run
     * @param others about its phases
     * @param intervals all of them
     * @param coverage of their intervals
     * @return one for each
     */
    public static List<ThresholdResult> judged(
            Result result, List<Threshold> others, List<Interval> intervals, double coverage) {
        Plan plan = result.plan().withThresholds(others);
        ThresholdSeries series = new ThresholdSeries(plan, () -> {}, coverage);
        intervals.forEach(series::interval);
        return series.judged(result.withThresholds(others.stream()
                        .map(of -> ThresholdResult.of(of, result.measured()))
                        .toList()))
                .thresholds();
    }

    private Scoped scope(Threshold threshold, Optional<String> operation) {
        return new Scoped(
                threshold.phases(plan.measuredPhases()),
                operation.map(names::indexOf).orElse(-1));
    }

    @Override
    public void interval(Interval interval) {
        blocks.forEach((scope, phases) -> {
            if (scope.phases.contains(interval.phase())) {
                phases.computeIfAbsent(interval.phase(), any -> new Blocks(scope.operation))
                        .add(interval);
            }
        });
        look(interval);
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        inPhase = Duration.ZERO;
    }

    private void look(Interval interval) {
        Deque<Duration> times = looks.get(interval.phase());
        inPhase = inPhase.plus(interval.length());
        if (times == null || times.isEmpty() || inPhase.compareTo(times.element()) < 0) {
            return;
        }
        while (!times.isEmpty() && inPhase.compareTo(times.element()) >= 0) {
            times.remove();
        }
        if (!undecided()) {
            times.clear();
            decided.run();
        }
    }

    /**
     * Judges the thresholds.
     *
     * @param result of the same plan
     * @return a copy
     */
    public Result judged(Result result) {
        List<ThresholdResult> own = result.thresholds();
        return result.withThresholds(IntStream.range(0, own.size())
                .mapToObj(i -> judged(thresholds.get(i), own.get(i)))
                .toList());
    }

    private ThresholdResult judged(Threshold threshold, ThresholdResult own) {
        Optional<FigureEstimate> found = estimate(threshold);
        if (found.isEmpty()) {
            return own;
        }
        FigureEstimate of = found.get();
        return of.evidence()
                .map(evidence -> own.with(threshold, of.value().orElseThrow(), of.unit(), evidence))
                .orElseGet(() -> own.with(threshold, of.value(), of.unit(), of.reason(), of.measured()));
    }

    /** {@return true if longer measurements may decide a threshold that isn't decided} */
    private boolean undecided() {
        return thresholds.stream().anyMatch(threshold -> estimate(threshold)
                .filter(FigureEstimate::measured)
                .filter(of -> of.evidence()
                        .map(evidence -> evidence.outcome(threshold.operator(), threshold.limitValue())
                                == ThresholdResult.Outcome.UNDECIDED)
                        .orElse(of.reason().isPresent()))
                .isPresent());
    }

    /** Empty for a figure that sums have as well. */
    private Optional<FigureEstimate> estimate(Threshold threshold) {
        Estimates left = new Estimates(phases(threshold, threshold.operation()), coverage);
        if (threshold.other().isPresent()) {
            Threshold.Other other = threshold.other().get();
            Estimates right = new Estimates(phases(threshold, Optional.of(other.operation())), coverage);
            return Optional.of(Estimates.ratio(left.of(threshold.figure()), right.of(other.figure()), coverage));
        }
        if (threshold.figure() instanceof Figure.Slope slope) {
            return Optional.of(new Slopes(left, names(slope.of())).of(slope, threshold.unit()));
        }
        if (threshold.figure() == Figure.Count.FAILURES && threshold.unit() == Threshold.Unit.ONE) {
            return Optional.empty();
        }
        return threshold.figure() instanceof Figure.Reported reported
                ? Optional.of(left.of(reported, names(reported)))
                : left.of(threshold.figure());
    }

    private List<String> names(Figure figure) {
        return figure instanceof Figure.Reported reported && !reported.client()
                ? plan.serverFigures()
                : HostFigure.names();
    }

    private List<List<Blocks.Block>> phases(Threshold threshold, Optional<String> operation) {
        return blocks.get(scope(threshold, operation)).values().stream()
                .map(Blocks::all)
                .toList();
    }
}
