package io.phaseload.sweep.trials;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Steps and rows as tests need them. */
public final class Rows {

    private Rows() {}

    /** Steps that differ in threads alone. */
    public static List<Step> steps(int... threads) {
        List<Step> steps = new ArrayList<>();
        for (int number : threads) {
            steps.add(step(steps.size() + 1, "threads", Integer.toString(number)));
        }
        return steps;
    }

    public static Step step(int number, String... namesAndValues) {
        return new Step(number, map(namesAndValues));
    }

    /** A trial that was measured. */
    public static TrialRow ok(int step, int trial, String... cells) {
        Map<String, String> row = map(
                "step", Integer.toString(step), "trial", Integer.toString(trial), "operation", "GET /", "status", "ok");
        row.putAll(map(cells));
        return new TrialRow(row);
    }

    private static Map<String, String> map(String... namesAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }
}
