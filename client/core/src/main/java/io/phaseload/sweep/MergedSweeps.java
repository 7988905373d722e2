package io.phaseload.sweep;

import io.phaseload.options.ValueException;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Merges sweeps. Steps with the same values and labels become one step with the trials of all; a label or parameter
 * that differs between sweeps becomes an axis of the merged grid.
 */
public final class MergedSweeps {

    /** The columns between these two are labels and parameters. */
    private static final String BEFORE_LABELS = TrialRow.REASON;

    private static final String AFTER_LABELS = TrialRow.THREADS;

    private final List<SweepResult> all;
    private final Set<String> labels = new LinkedHashSet<>();
    private final Map<Map<String, String>, Integer> numbers = new LinkedHashMap<>();
    private final Map<Integer, Integer> trials = new HashMap<>();
    private final List<TrialRow> rows = new ArrayList<>();
    private final List<SweepResult.Skipped> skipped = new ArrayList<>();

    private MergedSweeps(List<SweepResult> all) {
        this.all = all;
        checkComplete();
        checkDisjoint();
        for (SweepResult one : all) {
            labelsOf(one).stream().filter(this::differs).forEach(labels::add);
        }
        all.forEach(this::add);
    }

    /**
     * Merges sweeps.
     *
     * @param sweeps one or more
     * @return the merged sweep, which can't be resumed; a single sweep as it is
     * @throws IllegalArgumentException if two sweeps have the same trial, or a sweep lacks trials
     */
    public static SweepResult of(List<SweepResult> sweeps) {
        return sweeps.size() == 1 ? sweeps.get(0) : new MergedSweeps(sweeps).merged();
    }

    private void checkComplete() {
        for (int i = 0; i < all.size(); i++) {
            int missing = all.get(i).missing().orElse(0);
            if (missing > 0) {
                throw new ValueException(
                        "complete sweeps; trials.csv of sweep %d lacks %d trials".formatted(i + 1, missing));
            }
        }
    }

    private void checkDisjoint() {
        Set<List<String>> seen = new HashSet<>();
        for (SweepResult one : all) {
            for (TrialRow row : one.rows()) {
                List<String> trial = new ArrayList<>();
                for (String column : List.of("measured_on", TrialRow.OPERATION, TrialRow.THREADS, Step.RATE)) {
                    trial.add(row.text(column));
                }
                labelsOf(one).forEach(label -> trial.add(label + "=" + row.text(label)));
                if (!seen.add(trial)) {
                    throw new ValueException("different sweeps; the trial that was measured on "
                            + row.text("measured_on") + " is in two of them");
                }
            }
        }
    }

    private static List<String> labelsOf(SweepResult one) {
        List<String> columns = one.trials().columns();
        return columns.subList(columns.indexOf(BEFORE_LABELS) + 1, columns.indexOf(AFTER_LABELS));
    }

    private boolean differs(String label) {
        return all.stream()
                        .flatMap(one -> one.rows().stream())
                        .map(row -> row.text(label))
                        .distinct()
                        .count()
                > 1;
    }

    private void add(SweepResult one) {
        Map<Integer, Integer> before = new HashMap<>(trials);
        for (Step step : one.steps()) {
            List<TrialRow> own = one.rows().stream()
                    .filter(row -> row.step() == step.number())
                    .toList();
            Map<String, String> values = new LinkedHashMap<>(step.values());
            TrialRow like = own.isEmpty() ? one.rows().get(0) : own.get(0);
            labels.forEach(label -> values.putIfAbsent(label, like.text(label)));
            int number = numbers.computeIfAbsent(values, key -> numbers.size() + 1);
            Map<Integer, Integer> renumbered = new HashMap<>();
            int first = before.getOrDefault(number, 0);
            for (TrialRow row : own) {
                int trial = renumbered.computeIfAbsent(row.trial(), key -> first + renumbered.size() + 1);
                trials.merge(number, trial, Math::max);
                Map<String, String> cells = new LinkedHashMap<>(row.cells());
                cells.put(TrialRow.STEP, Integer.toString(number));
                cells.put(TrialRow.TRIAL, Integer.toString(trial));
                rows.add(new TrialRow(cells));
            }
            one.skipped().stream()
                    .filter(out -> out.step() == step.number())
                    .forEach(out -> skipped.add(new SweepResult.Skipped(number, out.reason())));
        }
    }

    /** Steps without trials have lost their values; they come last. */
    private List<SweepResult.Skipped> skipped() {
        List<SweepResult.Skipped> every = new ArrayList<>(skipped);
        int number = numbers.size();
        for (SweepResult one : all) {
            Set<Integer> run = new HashSet<>();
            one.steps().forEach(step -> run.add(step.number()));
            for (SweepResult.Skipped out : one.skipped()) {
                if (!run.contains(out.step())) {
                    number++;
                    every.add(new SweepResult.Skipped(number, one.name() + ": " + out.reason()));
                }
            }
        }
        return every;
    }

    private SweepResult merged() {
        SweepInfo first = all.get(0).info();
        List<String> names = all.stream().map(SweepResult::name).distinct().toList();
        List<Step> steps = new ArrayList<>();
        numbers.forEach((values, number) -> steps.add(new Step(number, values)));
        SweepInfo info = new SweepInfo(
                String.join("+", names),
                all.stream()
                        .map(one -> one.info().startedAt())
                        .min(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH),
                first.environment(),
                Stream.concat(Stream.of(SweepInfo.MERGE), names.stream()).toList(),
                trials.values().stream().mapToInt(n -> n).max().orElse(0),
                first.order(),
                first.seed(),
                steps);
        List<String> metrics =
                all.stream().flatMap(one -> one.metrics().stream()).distinct().toList();
        return new SweepResult(
                info,
                new TrialTable(columns(), metrics, rows),
                all.stream().allMatch(SweepResult::finished),
                skipped());
    }

    /** Each part has the columns that any sweep has there, so that merged sweeps can be merged again. */
    private List<String> columns() {
        Set<String> union = new LinkedHashSet<>();
        for (int i = 0; i < parts(all.get(0).trials().columns()).size(); i++) {
            int part = i;
            all.forEach(one -> union.addAll(parts(one.trials().columns()).get(part)));
        }
        return List.copyOf(union);
    }

    /** The fixed first columns, labels and parameters, figures, metrics, the fixed last columns. */
    private static List<List<String>> parts(List<String> columns) {
        int labels = columns.indexOf(BEFORE_LABELS) + 1;
        int figures = columns.indexOf(AFTER_LABELS);
        int metrics = columns.indexOf(TrialRow.THRESHOLDS) + 1;
        int last = columns.indexOf("folder");
        return List.of(
                columns.subList(0, labels),
                columns.subList(labels, figures),
                columns.subList(figures, metrics),
                columns.subList(metrics, last),
                columns.subList(last, columns.size()));
    }
}
