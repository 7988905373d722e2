package io.phaseload.history;

import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Figure;
import io.phaseload.compare.Side.Trial;
import io.phaseload.history.History.HistoryRun;
import io.phaseload.history.History.LevelChange;
import io.phaseload.history.History.Line;
import io.phaseload.plan.Phase;
import io.phaseload.result.Environment;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.store.PlanDifferences;
import io.phaseload.result.store.StoredRun;
import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.Description;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.stats.Estimate;
import io.phaseload.stats.Scale;
import io.phaseload.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Collects stored runs, one after another, and keeps of each only its figures. Not thread-safe. */
public final class Histories {

    /** Two would make a change of each pair of outliers. */
    private static final int LEAST = 3;

    private static final int SHUFFLES_SEED = 1;

    /** In half of a 95 % interval. */
    private static final double STANDARD_ERRORS = 1.96;

    /** A figure of a part of a plan. */
    private record Key(String phase, Optional<String> operation, Figure figure) {}

    private record RunFigures(HistoryRun run, Map<Key, Double> values) {}

    /** The runs that do the same as the first one. */
    private record SameRuns(StoredRun first, String title, List<RunFigures> runs) {}

    private final Function<Result, String> title;
    private final Tolerance tolerance;
    private final List<SameRuns> groups = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    /**
     * Collects no runs yet.
     *
     * @param title the name of a plan
     * @param tolerance the largest change that counts as none
     */
    public Histories(Function<Result, String> title, Tolerance tolerance) {
        this.title = title;
        this.tolerance = tolerance;
    }

    /**
     * Adds a run, unless it is a copy of another one.
     *
     * @param trial the run and its folder
     */
    public void add(Trial trial) {
        StoredRun run = trial.run();
        if (!seen.add(run.runId())) {
            return;
        }
        SameRuns group = groups.stream()
                .filter(of -> PlanDifferences.between(of.first, run).isEmpty())
                .findFirst()
                .orElseGet(() -> {
                    SameRuns made = new SameRuns(run, title.apply(run.result()), new ArrayList<>());
                    groups.add(made);
                    return made;
                });
        Result result = run.result();
        Verdict verdict = result.verdict();
        boolean valid = verdict.status() == Verdict.Status.VALID;
        group.runs.add(new RunFigures(
                new HistoryRun(
                        trial.folder(),
                        run.runId(),
                        result.startedAt(),
                        verdict.status(),
                        valid ? "" : verdict.worst(),
                        machine(result),
                        result.environment().gitCommit()),
                values(result)));
    }

    /** Whatever may change times without a change of the service. */
    private static String machine(Result result) {
        Environment on = result.environment();
        String agents = result.agents()
                .map(of -> ", %d agents".formatted(of.members().size()))
                .orElse("");
        return String.format(
                Locale.ROOT,
                "%s, %d cores, Java %s, Phaseload %s%s",
                on.cpu().orElse(on.os()),
                on.cores(),
                on.javaVersion(),
                on.phaseloadVersion(),
                agents);
    }

    private static Map<Key, Double> values(Result result) {
        Map<Key, Double> values = new LinkedHashMap<>();
        List<String> measured =
                Phase.measured(result.plan().phases().stream().map(Phase::name).toList());
        for (PhaseResult phase : result.phases()) {
            if (measured.contains(phase.name())) {
                add(values, phase.name(), Optional.empty(), phase.figures());
                if (phase.operations().size() > 1) {
                    phase.operations().forEach(of -> add(values, phase.name(), Optional.of(of.name()), of.figures()));
                }
            }
        }
        return values;
    }

    private static void add(Map<Key, Double> values, String phase, Optional<String> operation, Figures figures) {
        for (Figure figure : Figure.values()) {
            figure.value(figures)
                    .filter(value -> figures.requests() > 0 && (value > 0 || figure.scale() == Scale.ABSOLUTE))
                    .ifPresent(value -> values.put(new Key(phase, operation, figure), value));
        }
    }

    /**
     * The histories of the plans.
     *
     * @return the longest first
     */
    public List<History> all() {
        return groups.stream()
                .map(this::history)
                .sorted(Comparator.comparing((History of) -> of.runs().size()).reversed())
                .toList();
    }

    private History history(SameRuns group) {
        List<RunFigures> kept = group.runs.stream()
                .sorted(Comparator.comparing(of -> of.run.startedAt()))
                .toList();
        List<HistoryRun> runs = kept.stream().map(RunFigures::run).toList();
        List<Line> lines = kept.stream()
                .map(of -> of.values.keySet())
                .flatMap(Collection::stream)
                .distinct()
                .map(key -> line(key, runs, kept))
                .toList();
        return new History(group.title, runs, lines);
    }

    private Line line(Key key, List<HistoryRun> runs, List<RunFigures> kept) {
        List<Optional<Double>> values =
                kept.stream().map(of -> Optional.ofNullable(of.values.get(key))).toList();
        List<LevelChange> changes = History.byMachine(runs)
                .map(of ->
                        of.stream().filter(run -> values.get(run).isPresent()).toList())
                .flatMap(of -> changes(key.figure, of, values).stream())
                .sorted(Comparator.comparing(LevelChange::first))
                .toList();
        return new Line(key.phase, key.operation, key.figure, values, changes);
    }

    private List<LevelChange> changes(Figure figure, List<Integer> runs, List<Optional<Double>> all) {
        Scale scale = figure.scale();
        // A percentage's changes are points.
        double unit = scale == Scale.ABSOLUTE ? 100 : 1;
        double[] values = runs.stream()
                .mapToDouble(run -> all.get(run).orElseThrow() / unit)
                .toArray();
        double[] positions =
                scale == Scale.RELATIVE ? Arrays.stream(values).map(Math::log).toArray() : values;
        List<Integer> at = ChangePoints.of(positions, LEAST, SHUFFLES_SEED);
        List<LevelChange> changes = new ArrayList<>();
        for (int i = 0; i < at.size(); i++) {
            int from = i == 0 ? 0 : at.get(i - 1);
            int to = i + 1 == at.size() ? values.length : at.get(i + 1);
            Estimate before = level(scale, Arrays.copyOfRange(positions, from, at.get(i)));
            Estimate after = level(scale, Arrays.copyOfRange(positions, at.get(i), to));
            Effect effect = Effect.between(before, after);
            double limit = scale == Scale.RELATIVE ? tolerance.relative() : tolerance.points() / 100;
            if (Math.abs(effect.change()) > limit) {
                Word word = effect.word(0, figure.better());
                changes.add(new LevelChange(
                        runs.get(at.get(i) - 1),
                        runs.get(at.get(i)),
                        before.value() * unit,
                        after.value() * unit,
                        effect,
                        word));
            }
        }
        return changes;
    }

    /** The median: a mean would make a level of a few runs that other work on the machine disturbed. */
    private static Estimate level(Scale scale, double... positions) {
        ConfidenceInterval interval = ConfidenceInterval.ofMedian(positions);
        double median = Description.of(positions).median();
        return new Estimate(
                scale,
                median,
                (median - interval.low()) / STANDARD_ERRORS,
                (interval.high() - median) / STANDARD_ERRORS,
                Double.POSITIVE_INFINITY);
    }
}
