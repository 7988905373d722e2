package io.phaseload.result.store;

import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.StalledTime;
import io.phaseload.health.ClientHealth;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.build.Scope;
import io.phaseload.result.build.ThresholdSeries;
import io.phaseload.result.host.HostUse;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Merges runs of the same requests: of clients that ran at the same time on several machines, or one after another.
 * Histograms and counters are added, so nothing is lost and no percentile is averaged.
 *
 * <p>A phase lasts as long as it was running anywhere, by the clocks of the machines. Time that several runs spent in
 * it counts once, so that the rates of simultaneous runs add up. Its number of threads is the highest at any time.
 *
 * @param runs one or more
 * @param names the prefixes of their findings; as many
 */
public record MergedRun(List<StoredRun> runs, List<String> names) {

    /**
     * Runs without names: {@code run 1}, {@code run 2}, and so on.
     *
     * @throws IllegalArgumentException as the canonical constructor does
     */
    public MergedRun(List<StoredRun> runs) {
        this(
                runs,
                IntStream.rangeClosed(1, runs.size()).mapToObj(i -> "run " + i).toList());
    }

    /**
     * Checks that the runs can be merged.
     *
     * @throws IllegalArgumentException naming what differs, which may be requests, timeouts or phases, or naming a run
     *     that would count twice
     */
    public MergedRun {
        runs = List.copyOf(runs);
        names = List.copyOf(names);
        checkDisjoint(runs);
        same(runs, "operations", Plan::scenario);
        same(runs, "phases", MergedRun::phases);
        same(runs, "response timeout", plan -> plan.target().responseTimeout());
    }

    private static void checkDisjoint(List<StoredRun> runs) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            for (Result.Source part : runs.get(i).parts()) {
                Integer before = seen.put(part.runId(), i + 1);
                if (before != null) {
                    throw new ValueException(
                            "different runs; %d and %d are the same run, or were merged from the same run, %s"
                                    .formatted(before, i + 1, part.runId()));
                }
            }
        }
    }

    private static void same(List<StoredRun> runs, String what, Function<Plan, Object> part) {
        Object first = part.apply(runs.get(0).plan());
        for (int i = 1; i < runs.size(); i++) {
            if (!part.apply(runs.get(i).plan()).equals(first)) {
                throw new ValueException(
                        "runs with the same %s; those of run %d aren't the first one's".formatted(what, i + 1));
            }
        }
    }

    private static List<String> phases(Plan plan) {
        return plan.phases().stream().map(Phase::name).toList();
    }

    /**
     * The first run's plan, with the labels and thresholds that all runs share, and with the server metrics if all have
     * the same.
     *
     * @return the plan
     */
    public Plan plan() {
        Plan first = runs.get(0).plan();
        Map<String, String> labels = new TreeMap<>(first.labels());
        runs.forEach(run -> labels.entrySet().retainAll(run.plan().labels().entrySet()));
        List<Threshold> thresholds = new ArrayList<>(first.thresholds());
        runs.forEach(run -> thresholds.retainAll(run.plan().thresholds()));
        PlanBuilder plan = first.toBuilder().bare().thresholds(thresholds);
        labels.forEach(plan::label);
        first.serverMetrics().filter(this::isAskedByAll).ifPresent(plan::serverMetrics);
        first.changes().forEach(plan::change);
        first.untilDecided().ifPresent(plan::untilDecided);
        return plan.build();
    }

    private boolean isAskedByAll(ServerMetrics metrics) {
        return runs.stream().allMatch(run -> run.plan().serverMetrics().equals(Optional.of(metrics)));
    }

    /**
     * When the first run began.
     *
     * @return by its machine's clock
     */
    public Instant startedAt() {
        return runs.stream()
                .map(StoredRun::startedAt)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /**
     * All intervals on one time axis.
     *
     * @return sorted by their start, which counts from {@link #startedAt()}
     */
    public List<Interval> intervals() {
        List<Interval> all = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            StoredRun run = runs.get(i);
            String name = names.get(i);
            Duration later = Duration.between(startedAt(), run.startedAt());
            run.intervals().forEach(own -> all.add(own.later(later).from(name, Duration.ZERO)));
        }
        all.sort(Comparator.comparing(Interval::start));
        return all;
    }

    /**
     * The result of all runs together. Its verdict is the most severe one, with all reasons.
     *
     * @return a result whose environment is the first run's
     */
    public Result result() {
        return result(
                plan(),
                runs.stream().map(StoredRun::breach).flatMap(Optional::stream).findFirst());
    }

    /**
     * The same, judged by a plan that their clients shared.
     *
     * @param plan the whole of it
     * @param breach the threshold that ended all of them, if one did
     * @return a result whose environment is the first run's
     */
    public Result result(Plan plan, Optional<ThresholdResult> breach) {
        List<Measurement> measured =
                runs.stream().map(run -> run.measurement(interval -> true)).toList();
        List<PhaseMeasurement> phases = IntStream.range(0, plan().phases().size())
                .mapToObj(i -> sum(measured.stream().map(m -> m.phases().get(i)).toList()))
                .toList();
        List<RunSpan> spans = measured.stream()
                .map(m -> new RunSpan(m.startedAt(), m.wall(), 1))
                .toList();
        Measurement all = new Measurement(
                measured.get(0).engine(),
                startedAt(),
                RunSpan.union(spans),
                phases,
                measured.stream().anyMatch(Measurement::interrupted),
                measured.stream()
                        .map(Measurement::fault)
                        .flatMap(Optional::stream)
                        .findFirst(),
                List.of());
        List<Result> results = runs.stream().map(StoredRun::result).toList();
        Result merged = ResultBuilder.of(plan, runs.get(0).environment(), all, scope(measured), breach)
                .with(HostUse.of(intervals()));
        List<Result.TargetCount> counts =
                results.stream().map(Result::target).flatMap(Optional::stream).toList();
        if (counts.size() == results.size()) {
            merged = merged.withTarget(targets(counts));
        }
        merged = merged.mergedFrom(
                runs.stream().map(StoredRun::parts).flatMap(List::stream).toList(), verdict(results));
        // Their seconds overlap.
        return ResultBuilder.explain(ThresholdSeries.judged(merged, intervals()), all, new SeriesRecorder());
    }

    /** One run may be warming up while another one is being measured. */
    private Scope scope(List<Measurement> measured) {
        List<PhaseMeasurement> all =
                measured.stream().flatMap(m -> m.phases().stream()).toList();
        List<String> names = plan().measuredPhases();
        List<PhaseMeasurement> own = all.stream()
                .filter(phase -> names.contains(phase.phase().name()))
                .toList();
        return new Scope(names, RunSpan.union(spans(all)), RunSpan.union(spans(own)));
    }

    private static List<RunSpan> spans(List<PhaseMeasurement> phases) {
        return phases.stream()
                .filter(phase -> phase.startedAt().isPresent())
                .map(phase -> new RunSpan(phase.startedAt().get(), phase.wall(), phase.users()))
                .toList();
    }

    private PhaseMeasurement sum(List<PhaseMeasurement> parts) {
        List<RunSpan> spans = spans(parts);
        Map<String, Long> notSent = new TreeMap<>();
        parts.forEach(part -> part.notSent().forEach((why, n) -> notSent.merge(why, n, Long::sum)));
        PhaseMeasurement first = parts.get(0);
        ClientHealth client = parts.stream()
                .map(PhaseMeasurement::client)
                .reduce(ClientHealth::plus)
                .orElse(ClientHealth.NONE);
        List<Interval> own = intervals().stream()
                .filter(interval -> interval.phase().equals(first.phase().name()))
                .toList();
        return new PhaseMeasurement(
                first.phase(),
                spans.isEmpty() ? first.users() : RunSpan.most(spans),
                spans.stream().map(RunSpan::start).min(Comparator.naturalOrder()),
                RunSpan.union(spans),
                parts.stream().mapToLong(PhaseMeasurement::asked).sum(),
                notSent,
                sums(parts, PhaseMeasurement::operations),
                sums(parts, PhaseMeasurement::journeys),
                client.with(client.usersTime(), StalledTime.of(own)),
                RequestSample.NONE,
                List.of());
    }

    /** Of one in each of the runs, in their order. */
    private List<Tally> sums(List<PhaseMeasurement> parts, Function<PhaseMeasurement, List<Tally>> tallies) {
        List<List<Tally>> named = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            String name = names.get(i);
            List<Tally> own = tallies.apply(parts.get(i));
            named.add(own.stream().map(of -> of.from(name, Duration.ZERO)).toList());
        }
        return Tallies.sumEach(named.get(0).size(), named);
    }

    private static Result.TargetCount targets(List<Result.TargetCount> counts) {
        return new Result.TargetCount(
                counts.get(0).kind(),
                counts.size() + " targets, each of its own run",
                counts.stream().mapToLong(Result.TargetCount::requests).sum());
    }

    private Verdict verdict(List<Result> results) {
        Verdict all = Verdict.VALID;
        for (int i = 0; i < results.size(); i++) {
            Verdict own = results.get(i).verdict();
            for (Finding finding : own.findings()) {
                all = all.and(finding.of(names.get(i)));
            }
        }
        return all;
    }

    /** A time span with a number of users. */
    private record RunSpan(Instant start, Duration length, int users) {

        Instant end() {
            return start.plus(length);
        }

        /** The length of their union. */
        static Duration union(List<RunSpan> spans) {
            Duration sum = Duration.ZERO;
            Instant covered = Instant.MIN;
            List<RunSpan> ordered =
                    spans.stream().sorted(Comparator.comparing(RunSpan::start)).toList();
            for (RunSpan span : ordered) {
                Instant from = span.start.isBefore(covered) ? covered : span.start;
                if (from.isBefore(span.end())) {
                    sum = sum.plus(Duration.between(from, span.end()));
                    covered = span.end();
                }
            }
            return sum;
        }

        /** The highest number of users at any time. */
        static int most(List<RunSpan> spans) {
            return spans.stream()
                    .mapToInt(at -> spans.stream()
                            .filter(span -> !span.start.isAfter(at.start))
                            .filter(span -> span == at || span.end().isAfter(at.start))
                            .mapToInt(RunSpan::users)
                            .sum())
                    .max()
                    .orElse(0);
        }
    }
}
