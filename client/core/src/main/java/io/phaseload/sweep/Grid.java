package io.phaseload.sweep;

import io.phaseload.options.ValueException;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.trials.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The axes of a sweep: its steps are all combinations of their points. From step to step, the axis of load that was
 * added last changes fastest, then other axes of load, then parameters; the parameter that was added first changes
 * slowest. Not thread-safe.
 */
public final class Grid {

    /** The most trials that a sweep may have. */
    public static final int MOST_TRIALS = 10_000;

    static final List<String> LOADS = List.of(Step.THREADS, Step.RATE, Step.DURATION);

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    private final List<List<Map<String, String>>> parameters = new ArrayList<>();
    private final List<List<Map<String, String>>> loads = new ArrayList<>();

    /** Makes a grid of one step, in which nothing varies. */
    public Grid() {}

    Grid(Grid other) {
        parameters.addAll(other.parameters);
        loads.addAll(other.loads);
    }

    /**
     * Adds a parameter.
     *
     * @param name up to 40 letters, digits and underscores; not the name of a column of {@code trials.csv}
     * @param values in the order of steps, without duplicates
     * @return this
     * @throws IllegalArgumentException if the name is taken or not allowed, or the values are empty or not unique
     */
    public Grid vary(String name, List<String> values) {
        if (!NAME.matcher(name).matches()) {
            throw new ValueException("a name of letters, digits and _");
        }
        if (!TrialRows.isFree(name)) {
            throw new ValueException("another name: trials.csv already has that column");
        }
        return add(parameters, values.stream().map(value -> Map.of(name, value)).toList());
    }

    /**
     * Adds an axis of load. A point may have several values: each number of threads may have its own duration.
     *
     * @param points values by {@link Step#THREADS}, {@link Step#RATE} or {@link Step#DURATION}, in the order of steps;
     *     all with the same names
     * @return this
     * @throws IllegalArgumentException if a name is taken or isn't about load, points have different names, or the
     *     points are empty or not unique
     */
    public Grid load(List<Map<String, String>> points) {
        for (Map<String, String> point : points) {
            if (point.isEmpty() || !LOADS.containsAll(point.keySet())) {
                throw new ValueException(point.toString(), String.join(" or ", LOADS));
            }
            if (!point.keySet().equals(points.get(0).keySet())) {
                throw new ValueException(point.toString(), "the same names everywhere");
            }
        }
        return add(loads, points);
    }

    private Grid add(List<List<Map<String, String>>> to, List<Map<String, String>> axis) {
        if (axis.isEmpty()) {
            throw new ValueException("a value");
        }
        if (axis.stream().distinct().count() < axis.size()) {
            throw new ValueException("each value once");
        }
        for (List<Map<String, String>> other : axes()) {
            if (!Collections.disjoint(other.get(0).keySet(), axis.get(0).keySet())) {
                throw new ValueException("each name once");
            }
        }
        to.add(List.copyOf(axis));
        return this;
    }

    /**
     * All steps.
     *
     * @param trials per step
     * @return numbered from 1; without axes, a single one without values
     * @throws IllegalArgumentException if there would be more than {@link #MOST_TRIALS} trials
     */
    public List<Step> steps(int trials) {
        long size = trials;
        for (List<Map<String, String>> axis : axes()) {
            size = Math.min(Integer.MAX_VALUE, size * axis.size());
        }
        if (size > MOST_TRIALS) {
            throw new ValueException("%d trials".formatted(size), "at most %d".formatted(MOST_TRIALS));
        }
        List<Map<String, String>> points = List.of(Map.of());
        for (List<Map<String, String>> axis : axes()) {
            points = product(points, axis);
        }
        List<Step> steps = new ArrayList<>();
        for (Map<String, String> point : points) {
            Map<String, String> values = new LinkedHashMap<>();
            LOADS.stream().filter(point::containsKey).forEach(name -> values.put(name, point.get(name)));
            values.putAll(point);
            steps.add(new Step(steps.size() + 1, values));
        }
        return steps;
    }

    /** The slowest axis comes first. */
    private List<List<Map<String, String>>> axes() {
        List<List<Map<String, String>>> axes = new ArrayList<>(parameters);
        axes.addAll(loads);
        return axes;
    }

    private static List<Map<String, String>> product(List<Map<String, String>> points, List<Map<String, String>> axis) {
        List<Map<String, String>> product = new ArrayList<>();
        for (Map<String, String> point : points) {
            for (Map<String, String> values : axis) {
                Map<String, String> both = new LinkedHashMap<>(point);
                both.putAll(values);
                product.add(both);
            }
        }
        return product;
    }
}
