package io.phaseload.cli;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.measure.Counters;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.result.Environment;
import io.phaseload.result.Limits;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.EngineUse;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * A results folder without a run: every phase has intervals of a second, every operation in each the same number of
 * requests, whose times are exponentially distributed.
 *
 * @param plan the plan
 * @param seconds of each phase
 * @param requests of each operation in a second
 * @param meanMillis of the times
 * @param failedPercent how many of the requests failed
 * @param seed of the times
 * @param javaVersion of the client
 * @param host of the client
 */
public record MadeUpRun(
        Plan plan,
        int seconds,
        int requests,
        double meanMillis,
        double failedPercent,
        long seed,
        String javaVersion,
        String host) {

    /** The only phase of most comparisons. */
    public static final Phase PEAK = new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(20)));

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final List<Double> NOISE = List.of(0.99, 1.01, 1.0);

    public static MadeUpRun of(PlanBuilder plan) {
        return new MadeUpRun(plan.build(), 20, 500, 10, 0, 1, "17.0.15", "bench-1");
    }

    public static MadeUpRun ofDefaultPlan() {
        return of(planned());
    }

    public static MadeUpRun ofPeak() {
        return of(planned().phases(PEAK));
    }

    public static PlanBuilder planned() {
        return Plan.builder(URI.create("http://localhost:8080/")).scenario(Scenario.getThenPost());
    }

    public MadeUpRun lasting(int newSeconds) {
        return with(newSeconds, requests, meanMillis, failedPercent, seed);
    }

    public MadeUpRun requests(int perSecond) {
        return with(seconds, perSecond, meanMillis, failedPercent, seed);
    }

    public MadeUpRun mean(double millis) {
        return with(seconds, requests, millis, failedPercent, seed);
    }

    public MadeUpRun failed(double percent) {
        return with(seconds, requests, meanMillis, percent, seed);
    }

    public MadeUpRun seed(long newSeed) {
        return with(seconds, requests, meanMillis, failedPercent, newSeed);
    }

    public MadeUpRun on(String newHost, String newJava) {
        return new MadeUpRun(plan, seconds, requests, meanMillis, failedPercent, seed, newJava, newHost);
    }

    private MadeUpRun with(int newSeconds, int newRequests, double newMean, double newFailed, long newSeed) {
        return new MadeUpRun(plan, newSeconds, newRequests, newMean, newFailed, newSeed, javaVersion, host);
    }

    public Path write(Path folder) throws IOException {
        Random random = new Random(seed);
        List<PhaseMeasurement> phases = new ArrayList<>();
        List<Operation> operations = plan.scenario().operations();
        ResultFolder results = ResultFolder.at(folder);
        Duration start = Duration.ZERO;
        try (IntervalFiles files = new IntervalFiles(folder, new Scenario(operations), List.of())) {
            files.runStarted(START);
            for (Phase phase : plan.phases()) {
                List<List<Tally>> all = new ArrayList<>();
                for (int i = 0; i < seconds; i++) {
                    List<Tally> tallies =
                            operations.stream().map(o -> tally(random)).toList();
                    Duration second = Duration.ofSeconds(1);
                    files.interval(new Interval(phase.name(), start, second, tallies));
                    start = start.plus(second);
                    all.add(tallies);
                }
                phases.add(measured(phase, all));
            }
        }
        Measurement measurement =
                new Measurement(EngineUse.THREADS, START, start, phases, false, Optional.empty(), List.of());
        results.write(ResultBuilder.of(plan, environment(), measurement));
        return folder;
    }

    /** Writes shorter runs whose means are 1 % apart, as a folder of runs. */
    public Path writeTrials(Path folder) throws IOException {
        Files.createDirectory(folder);
        MadeUpRun shorter = lasting(2).requests(requests * seconds / 2);
        for (int i = 0; i < NOISE.size(); i++) {
            shorter.mean(meanMillis * NOISE.get(i)).seed(seed + i).write(folder.resolve("trial-" + i));
        }
        return folder;
    }

    private Tally tally(Random random) {
        Histogram nanos = new Histogram(1, 3_600_000_000_000L, 3);
        Histogram failures = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 0; i < requests; i++) {
            long time = (long) (-meanMillis * 1e6 * Math.log(1 - random.nextDouble())) + 1;
            nanos.recordValue(time);
            if (random.nextDouble() * 100 < failedPercent) {
                failures.recordValue(time);
            }
        }
        long failed = failures.getTotalCount();
        return Tally.of(
                Map.of(Timing.RESPONSE, nanos, Timing.SERVICE, nanos, Timing.FAILED, failures),
                failed == 0 ? Map.of() : Map.of("http 503", new Tally.Failures(failed, "")),
                new Counters(requests, 0, 0, 0, 0, Map.of(200, (long) requests), Map.of()),
                Map.of());
    }

    private PhaseMeasurement measured(Phase phase, List<List<Tally>> intervals) {
        List<Tally> sums = new ArrayList<>();
        for (int i = 0; i < plan.scenario().operations().size(); i++) {
            int operation = i;
            sums.add(Tallies.sum(
                    intervals.stream().map(all -> all.get(operation)).toList()));
        }
        Duration wall = Duration.ofSeconds(seconds);
        return new PhaseMeasurement(
                phase,
                phase.users(plan.threads()),
                Optional.of(START),
                wall,
                sums.stream().mapToLong(Tally::requests).sum(),
                Map.of(),
                sums,
                List.of(),
                ClientHealth.of(new ClientLoad(wall, Duration.ofSeconds(1), 4, Duration.ZERO)),
                RequestSample.NONE,
                List.of());
    }

    private Environment environment() {
        return new Environment(
                "0.1.0",
                Optional.of(host),
                "Linux 6.1.0 (amd64)",
                Optional.empty(),
                4,
                new Limits(Optional.empty(), Optional.empty(), Optional.empty()),
                1_024,
                "OpenJDK 64-Bit Server VM 17.0.15+6",
                javaVersion,
                List.of(),
                List.of("java"),
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }
}
