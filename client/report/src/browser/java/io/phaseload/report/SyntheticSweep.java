package io.phaseload.report;

import io.phaseload.result.Environment;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A sweep that never was, whose throughput follows the Universal Scalability Law. */
final class SyntheticSweep {

    private final Random random = new Random(1);
    private final List<Step> steps = new ArrayList<>();
    private final List<TrialRow> rows = new ArrayList<>();
    private final String name;
    private final List<String> arguments;
    private int trials;

    SyntheticSweep(String name, List<String> arguments) {
        this.name = name;
        this.arguments = arguments;
    }

    /** Adds a step; its first trial has this verdict, or all of them failed. */
    SyntheticSweep step(
            int ofTrials, int threads, List<String> operations, Map<String, String> values, String verdict) {
        Step step = new Step(steps.size() + 1, values);
        steps.add(step);
        trials = ofTrials;
        for (int trial = 1; trial <= ofTrials; trial++) {
            for (String operation : operations) {
                rows.add(row(
                        step, trial, operation, threads, trial == 1 || verdict.equals("FAILED") ? verdict : "VALID"));
            }
        }
        return this;
    }

    /** The published scaling of clients against a cluster: writes and reads, of 13 steps each. */
    static SyntheticSweep published() {
        SyntheticSweep sweep = new SyntheticSweep("scaled", List.of());
        List<Integer> clients = List.of(10, 100, 200, 400, 800, 1600, 3200, 5000, 6000, 7000, 8000, 9000, 10000);
        for (String workload : List.of("write", "read")) {
            for (int count : clients) {
                Map<String, String> values = new LinkedHashMap<>();
                values.put("threads", Integer.toString(count));
                values.put("duration", Math.max(5, count / 100) + "m");
                values.put("workload", workload);
                sweep.step(
                        3,
                        count,
                        List.of(workload.equals("write") ? "PUT /items/key" : "GET /items/key"),
                        values,
                        count == 9000 ? "SUSPECT" : count == 10000 && workload.equals("read") ? "FAILED" : "VALID");
            }
        }
        return sweep;
    }

    SweepResult result() {
        return new SweepResult(
                new SweepInfo(
                        name,
                        Instant.parse("2026-11-20T12:00:00Z"),
                        Environment.capture(),
                        arguments,
                        trials,
                        Order.INTERLEAVED,
                        1,
                        steps),
                new TrialTable(List.of(), List.of("elapsed"), rows),
                true,
                List.of());
    }

    /** With a page of each trial beside it. */
    String page() {
        return SweepPage.write(
                result(), row -> Optional.of("step-%s/trial-%s/report.html".formatted(row.step(), row.trial())));
    }

    private TrialRow row(Step step, int trial, String operation, int threads, String verdict) {
        double rate = 900.0 * threads / (1 + 0.08 * (threads - 1) + 0.000_001 * threads * (threads - 1));
        double noise = 0.95 + 0.1 * random.nextDouble();
        Map<String, String> row = new LinkedHashMap<>(step.values());
        row.put("step", Integer.toString(step.number()));
        row.put("trial", Integer.toString(trial));
        row.put("operation", operation);
        row.put("threads", Integer.toString(threads));
        row.put("measured_on", "2026-11-20T12:00:00Z");
        if (verdict.equals("FAILED")) {
            row.put("status", "failed");
            row.put("reason", "no connection to the target");
            return new TrialRow(row);
        }
        row.put("status", "ok");
        row.put("reason", "");
        row.put("total_ops", "10000");
        row.put("failed", "10");
        row.put("wall_s", "10");
        row.put("verdict", verdict);
        put(row, "ops_per_second", rate * noise);
        put(row, "failed_percent", 0.001 * threads * noise);
        put(row, "mean_ms", threads / noise);
        put(row, "p50_ms", 0.8 * threads / noise);
        put(row, "p95_ms", 2.0 * threads / noise);
        put(row, "p99_ms", 4.0 * threads / noise);
        put(row, "max_ms", 9.0 * threads / noise);
        put(row, "server_cpu_percent", 90 * threads / (threads + 300.0) * noise);
        put(row, "elapsed", 3.0 * threads / noise);
        return new TrialRow(row);
    }

    private static void put(Map<String, String> row, String column, double value) {
        row.put(column, String.format(Locale.ROOT, "%.3f", value));
    }
}
