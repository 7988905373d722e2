package io.phaseload.report;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Side;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.result.Environment;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Pages of all kinds, with texts of users that would break out if they could. */
final class HostilePages {

    /** Ends a script, begins an element, and would run if it were ever taken for HTML. */
    static final String HOSTILE =
            "</script><b class=out>x</b><img src=x onerror='out=1'>\u2028&amp;\"";

    private HostilePages() {}

    static String run() {
        return made(1).page();
    }

    private static SyntheticRun made(int seed) {
        PlanBuilder plan =
                SyntheticRun.plan("GET /items", HOSTILE + seed, "POST /cart")
                        .label("note", HOSTILE);
        return SyntheticRun.run(plan, 30, 200 + 40 * seed, "check body~'" + HOSTILE + "'");
    }

    /** Writes its runs into a folder. */
    static String comparison(Path folder) throws IOException {
        return ComparisonPage.write(
                List.of(
                        Comparison.of(
                                side("before", made(1), folder.resolve("a")),
                                side(HOSTILE, made(1), folder.resolve("b")),
                                Optional.empty(),
                                new Tolerance(0.05, 0.1))));
    }

    private static Side side(String name, SyntheticRun run, Path folder) throws IOException {
        return new Side(name, List.of(new Side.Trial(name, run.stored(folder))));
    }

    /** Threads, and a parameter beside them; five trials of each. */
    static String sweep() {
        Random random = new Random(1);
        List<Step> steps = new ArrayList<>();
        List<TrialRow> rows = new ArrayList<>();
        for (String size : List.of("1k", HOSTILE)) {
            for (int threads = 1; threads <= 64; threads *= 2) {
                Step step =
                        new Step(
                                steps.size() + 1,
                                Map.of("threads", Integer.toString(threads), "size", size));
                steps.add(step);
                for (int trial = 1; trial <= 5; trial++) {
                    for (String operation : List.of("GET /", HOSTILE)) {
                        rows.add(row(step, trial, operation, threads, random));
                    }
                }
            }
        }
        return SweepPage.write(
                new SweepResult(
                        new SweepInfo(
                                "nightly",
                                Instant.parse("2026-11-20T12:00:00Z"),
                                Environment.capture(),
                                List.of("--param", "size=1k," + HOSTILE),
                                5,
                                Order.INTERLEAVED,
                                1,
                                steps),
                        new TrialTable(List.of(), List.of("elapsed"), rows),
                        true,
                        List.of()));
    }

    private static TrialRow row(
            Step step, int trial, String operation, int threads, Random random) {
        double rate =
                900.0 * threads / (1 + 0.08 * (threads - 1) + 0.001 * threads * (threads - 1));
        double noise = 0.95 + 0.1 * random.nextDouble();
        Map<String, String> row = new LinkedHashMap<>(step.values());
        row.put("step", Integer.toString(step.number()));
        row.put("trial", Integer.toString(trial));
        row.put("operation", operation);
        row.put("status", "ok");
        row.put("reason", "");
        row.put("total_ops", "10000");
        row.put("failed", "10");
        row.put("wall_s", "10");
        row.put("verdict", "VALID");
        row.put("measured_on", "2026-11-20T12:00:00Z");
        put(row, "ops_per_second", rate * noise);
        put(row, "failed_percent", 0.1 * threads * noise);
        put(row, "mean_ms", threads / noise);
        put(row, "p50_ms", 0.8 * threads / noise);
        put(row, "p95_ms", 2.0 * threads / noise);
        put(row, "p99_ms", 4.0 * threads / noise);
        put(row, "max_ms", 9.0 * threads / noise);
        put(row, "elapsed", 3.0 * threads / noise);
        return new TrialRow(row);
    }

    private static void put(Map<String, String> row, String column, double value) {
        row.put(column, String.format(Locale.ROOT, "%.3f", value));
    }
}
