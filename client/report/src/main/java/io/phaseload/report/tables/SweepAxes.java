package io.phaseload.report.tables;

import io.phaseload.schedule.Rate;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What varies between a sweep's steps, as axes of charts.
 *
 * @param names the names of the values that vary, in order
 */
public record SweepAxes(List<String> names) {

    /**
     * The axes of a sweep.
     *
     * @param sweep what was measured
     * @return its axes
     */
    public static SweepAxes of(SweepResult sweep) {
        List<Map<String, String>> all = sweep.steps().stream().map(Step::values).toList();
        return new SweepAxes(
                all.stream()
                        .map(Map::keySet)
                        .flatMap(Collection::stream)
                        .distinct()
                        // A duration belongs to its load; it isn't an axis of its own.
                        .filter(name -> !name.equals(Step.DURATION))
                        .filter(name -> all.stream().map(of -> of.get(name)).distinct().count() > 1)
                        .toList());
    }

    /**
     * The load of a step.
     *
     * @param of the step
     * @return the rate per second if that varies, otherwise threads
     */
    public double load(StepSummary of) {
        String rate = names.contains(Step.RATE) ? of.step().values().get(Step.RATE) : null;
        return rate == null ? of.threads() : Rate.parse(rate).perSecond();
    }

    /** What steps that differ only in load have in common. */
    String group(Step step) {
        return group(step.group());
    }

    /** The same for a group's values. */
    String group(Map<String, String> values) {
        return orAll(join(only(values, names)));
    }

    /**
     * The first thing that varies.
     *
     * @param step a step
     * @return its value; {@code (all)} if nothing varies
     */
    public String across(Step step) {
        return orAll(join(only(step.values(), names.subList(0, Math.min(1, names.size())))));
    }

    /**
     * Everything else that varies.
     *
     * @param step a step
     * @return its values; {@code (all)} if there is nothing else
     */
    public String down(Step step) {
        List<String> rest = names.isEmpty() ? names : names.subList(1, names.size());
        return orAll(join(only(step.values(), rest)));
    }

    /** The order of steps along the axes, one after another; numbers are sorted by size. */
    static Comparator<Step> order(SweepResult sweep) {
        Comparator<Step> order = Comparator.comparing(step -> 0);
        for (String name : of(sweep).names()) {
            List<String> values =
                    sweep.steps().stream()
                            .map(step -> step.values().getOrDefault(name, ""))
                            .distinct()
                            .toList();
            List<String> sorted = NaturalOrder.sorted(values);
            order =
                    order.thenComparing(
                            step -> sorted.indexOf(step.values().getOrDefault(name, "")));
        }
        return order.thenComparing(Step::number);
    }

    /**
     * Everything that varies.
     *
     * @param step a step
     * @return its values; empty if nothing varies
     */
    public String text(Step step) {
        return join(only(step.values(), names));
    }

    private static Map<String, String> only(Map<String, String> values, List<String> names) {
        Map<String, String> some = new LinkedHashMap<>(values);
        some.keySet().retainAll(names);
        return some;
    }

    static String join(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String orAll(String text) {
        return text.isEmpty() ? RunTables.ALL : text;
    }
}
