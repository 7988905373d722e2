package io.phaseload.result;

import io.phaseload.measure.Interval;
import io.phaseload.measure.ServerFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the target reported about itself in one phase.
 *
 * @param samples how often it answered
 * @param gaps how often it was asked and didn't, or not in time
 * @param figures by name; one that it never reported is missing
 */
public record ServerUse(int samples, int gaps, Map<String, Spread> figures) {

    /**
     * Of one figure in all samples.
     *
     * @param mean the arithmetic mean
     * @param max the highest
     */
    public record Spread(double mean, double max) {}

    /**
     * What the target said in intervals.
     *
     * @param intervals of a run, in order
     * @return what each interval holds of it, in order, by phase
     */
    public static Map<String, List<ServerFigures>> byPhase(List<Interval> intervals) {
        Map<String, List<ServerFigures>> byPhase = new HashMap<>();
        for (Interval interval : intervals) {
            interval.server()
                    .ifPresent(
                            figures ->
                                    byPhase.computeIfAbsent(
                                                    interval.phase(), phase -> new ArrayList<>())
                                            .add(figures));
        }
        return byPhase;
    }

    static ServerUse of(List<String> names, List<ServerFigures> asked) {
        int gaps = (int) asked.stream().filter(ServerFigures::isGap).count();
        Map<String, Spread> spreads = new LinkedHashMap<>();
        for (String name : names) {
            List<Double> values =
                    asked.stream()
                            .map(figures -> figures.values().get(name))
                            .filter(Objects::nonNull)
                            .toList();
            if (!values.isEmpty()) {
                double sum = values.stream().mapToDouble(Double::doubleValue).sum();
                double max = values.stream().max(Comparator.naturalOrder()).orElseThrow();
                spreads.put(name, new Spread(sum / values.size(), max));
            }
        }
        return new ServerUse(asked.size() - gaps, gaps, spreads);
    }
}
