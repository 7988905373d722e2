package io.phaseload.sweep.summary;

import io.phaseload.stats.ScalabilityFit;
import io.phaseload.stats.ScalabilityFit.Point;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * How throughput grows with users by the Universal Scalability Law, over steps of a closed model that differ only in
 * the number of users.
 *
 * @param group the common values of these steps
 * @param steps the number of measured user counts
 * @param fit the fitted law; empty if there are too few steps
 * @param curve the law's throughputs, up to twice the most users that were measured
 */
public record Scalability(Map<String, String> group, int steps, Optional<ScalabilityFit> fit, List<Point> curve) {

    /** For each group in which the number of users varies. */
    static List<Scalability> of(List<Step> steps, List<TrialRow> rows, long seed) {
        Map<Map<String, String>, List<Step>> groups = new LinkedHashMap<>();
        for (Step step : steps) {
            if (step.values().containsKey(Step.THREADS) && !step.values().containsKey(Step.RATE)) {
                groups.computeIfAbsent(step.group(), key -> new ArrayList<>()).add(step);
            }
        }
        groups.values().removeIf(group -> group.size() < 2);
        List<Scalability> all = new ArrayList<>();
        groups.forEach((group, own) -> all.add(of(group, points(own, rows), seed)));
        return all;
    }

    private static Scalability of(Map<String, String> group, List<Point> points, long seed) {
        double[] users =
                points.stream().mapToDouble(Point::users).distinct().sorted().toArray();
        Optional<ScalabilityFit> fit = ScalabilityFit.of(points, seed);
        List<Point> curve = new ArrayList<>();
        if (fit.isPresent()) {
            double most = users[users.length - 1];
            DoubleStream.concat(DoubleStream.of(users), DoubleStream.of(1.5 * most, 2 * most))
                    .forEach(n -> fit.get().throughput(n).ifPresent(x -> curve.add(new Point(n, x))));
        }
        return new Scalability(group, users.length, fit, curve);
    }

    /** One per trial: the throughput of all its operations together. */
    private static List<Point> points(List<Step> steps, List<TrialRow> rows) {
        List<Point> points = new ArrayList<>();
        for (Step step : steps) {
            for (List<TrialRow> own : SweepSummary.measured(step, rows)) {
                double throughput = SweepSummary.sum(own, TrialRow.OPS_PER_SECOND);
                double users = own.get(0).number(TrialRow.THREADS).orElse(0);
                if (users >= 1 && throughput > 0) {
                    points.add(new Point(users, throughput));
                }
            }
        }
        return points;
    }
}
