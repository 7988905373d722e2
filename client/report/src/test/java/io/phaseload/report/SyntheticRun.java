package io.phaseload.report;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.measure.Counters;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Requests;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.RunTables;
import io.phaseload.result.Environment;
import io.phaseload.result.Limits;
import io.phaseload.result.Result;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.host.HostUse;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import io.phaseload.run.EngineUse;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A run that never was: phases {@code loading} and {@code peak}, in whose seconds each operation has the same number of
 * requests with exponentially distributed times. A tenth of those of the first operation fail in {@code peak}.
 *
 * @param result what it came to
 * @param intervals a second each
 */
public record SyntheticRun(Result result, List<Interval> intervals) {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Requests that are kept came some time in them. */
    private static final int SOME_MILLIS = 5_000;

    /** So many kinds of seconds come in turn. */
    private static final int SECONDS = 5;

    public static SyntheticRun run(int secondsAPhase, int requests, String... operations) {
        return run(plan(operations), secondsAPhase, requests);
    }

    public static PlanBuilder plan(String... operations) {
        return Plan.builder(URI.create("http://localhost:8080/"))
                .name("made-up")
                .threads(10)
                .operations(Arrays.stream(operations)
                        .map(name -> Operation.get("/").named(name))
                        .toArray(Operation[]::new))
                .phases(
                        new Phase("loading", 0.5, new PhaseLength.Lasting(Duration.ofSeconds(5))),
                        new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(5))))
                .serverMetrics(new ServerMetrics(URI.create("/metrics.json"), Map.of()))
                .threshold(Threshold.parse("peak: p50 < 1s"));
    }

    public static SyntheticRun run(PlanBuilder of, int secondsAPhase, int requests) {
        return run(of, secondsAPhase, requests, "http 503");
    }

    public static SyntheticRun run(PlanBuilder of, int secondsAPhase, int requests, String cause) {
        return run(of, secondsAPhase, requests, cause, 10);
    }

    /** One of so many requests of {@code peak}'s first operation fails. */
    public static SyntheticRun run(PlanBuilder of, int secondsAPhase, int requests, String cause, int oneOf) {
        Random random = new Random(1);
        Map<String, List<List<Tally>>> kinds = new HashMap<>();
        return run(of.build(), secondsAPhase, (phase, second, operations) -> kinds.computeIfAbsent(
                        phase, name -> IntStream.range(0, Math.min(SECONDS, secondsAPhase))
                                .mapToObj(i -> second(random, operations, requests, phase, cause, oneOf))
                                .toList())
                .get(second % Math.min(SECONDS, secondsAPhase)));
    }

    private static List<Tally> second(
            Random random, int operations, int requests, String phase, String cause, int oneOf) {
        List<Tally> tallies = new ArrayList<>();
        for (int o = 0; o < operations; o++) {
            boolean failing = phase.equals("peak") && o == 0;
            tallies.add(tally(random, requests, failing ? oneOf : 0, cause));
        }
        return tallies;
    }

    /** The requests of one second, an operation each. */
    private interface Seconds {
        List<Tally> of(String phase, int second, int operations);
    }

    /**
     * A minute, in {@code peak} of which nearly nothing comes for ten seconds, and that fails: too few requests a
     * second for any percentile.
     */
    static SyntheticRun outage(PlanBuilder of) {
        Random random = new Random(1);
        return run(of.build(), 30, (phase, second, operations) -> {
            boolean out = phase.equals("peak") && second >= 10 && second < 20;
            return IntStream.range(0, operations)
                    .mapToObj(i -> out ? tally(random, 2, 1, "timeout") : tally(random, 60, 0, ""))
                    .toList();
        });
    }

    /** Messages of pairs, a tenth of which are lost in {@code peak}, where half weren't sent. */
    static SyntheticRun messages() {
        Random random = new Random(1);
        Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(400)), Load.Overload.QUEUE);
        Plan plan = Plan.builder(URI.create("ws://localhost:8080/rooms/%7Bpair%7D"))
                .name("made-up")
                .threads(10)
                .engine(EngineSettings.builder("websocket")
                        .protocol(new Protocol.WebSocket(1, 200, List.of(), false, Optional.empty()))
                        .build())
                .phases(
                        new Phase("loading", 0.5, new PhaseLength.Lasting(SECOND), load),
                        new Phase("peak", 1, new PhaseLength.Lasting(SECOND), load))
                .build();
        return run(
                plan,
                10,
                (phase, second, operations) -> List.of(
                        delivered(tally(random, 400, phase.equals("peak") ? 10 : 0, "lost: not received in time"))));
    }

    private static Tally delivered(Tally messages) {
        return Tally.of(
                Map.of(
                        Timing.RESPONSE, messages.histogram(Timing.RESPONSE),
                        Timing.SERVICE, messages.histogram(Timing.SERVICE),
                        Timing.FAILED, messages.histogram(Timing.FAILED),
                        MessageTimings.DELIVERY, messages.histogram(Timing.RESPONSE)),
                messages.causes(),
                new Counters(0, 0, 0, 0, 0, Map.of(), Map.of()),
                Map.of());
    }

    private static SyntheticRun run(Plan plan, int secondsAPhase, Seconds seconds) {
        List<Interval> intervals = new ArrayList<>();
        List<PhaseMeasurement> phases = new ArrayList<>();
        Duration start = Duration.ZERO;
        for (Phase phase : plan.phases()) {
            List<Interval> own = new ArrayList<>();
            for (int i = 0; i < secondsAPhase; i++) {
                List<Tally> tallies =
                        seconds.of(phase.name(), i, plan.scenario().operations().size());
                own.add(new Interval(phase.name(), start, SECOND, tallies)
                        .withClient(new HostFigures(Map.of(
                                "cpuPercent",
                                40.0 + i % 7,
                                "tcpRetransmitsPerSecond",
                                i % 3.0,
                                "tcpTimeoutsPerSecond",
                                0.0,
                                "openFiles",
                                30.0)))
                        .withServer(new HostFigures(Map.of("cpuPercent", 50.0 + i % 7, "busyThreads", 4.0))));
                start = start.plus(SECOND);
            }
            intervals.addAll(own);
            phases.add(measured(plan, phase, own));
        }
        Measurement measurement =
                new Measurement(EngineUse.THREADS, START, start, phases, false, Optional.empty(), List.of());
        return new SyntheticRun(
                ResultBuilder.of(plan, environment(), measurement).with(HostUse.of(intervals)), intervals);
    }

    private static Tally tally(Random random, int requests, int oneOf, String cause) {
        Histogram nanos = new Histogram(1, 3_600_000_000_000L, 3);
        Histogram failures = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 0; i < requests; i++) {
            long time = (long) (-10e6 * Math.log(1 - random.nextDouble())) + 1;
            nanos.recordValue(time);
            if (oneOf > 0 && i % oneOf == 0) {
                failures.recordValue(time);
            }
        }
        long failed = failures.getTotalCount();
        Tally tally = Tally.of(
                Map.of(Timing.RESPONSE, nanos, Timing.SERVICE, nanos, Timing.FAILED, failures),
                failed == 0 ? Map.of() : Map.of(cause, new Tally.Failures(failed, "")),
                new Counters(requests, 0, 0, 0, 0, Map.of(200, (long) requests), Map.of()),
                Map.of());
        long longest = nanos.getMaxValue();
        tally.keep(List.of(Requests.success(longest, longest % SOME_MILLIS)));
        if (failed > 0) {
            Outcome failure = new Outcome.NotFollowed(cause, "it said: " + cause);
            tally.keep(List.of(Requests.failed(failure, longest % SOME_MILLIS)));
        }
        return tally;
    }

    private static PhaseMeasurement measured(Plan plan, Phase phase, List<Interval> own) {
        List<Tally> sums = new ArrayList<>();
        for (int i = 0; i < plan.scenario().operations().size(); i++) {
            int operation = i;
            sums.add(Tallies.sum(
                    own.stream().map(one -> one.operations().get(operation)).toList()));
        }
        Duration wall = SECOND.multipliedBy(own.size());
        long sent = sums.stream().mapToLong(Tally::requests).sum();
        boolean dropped = plan.engine().protocol() instanceof Protocol.WebSocket;
        return new PhaseMeasurement(
                phase,
                phase.users(plan.threads()),
                Optional.of(START.plus(own.get(0).start())),
                wall,
                dropped ? 2 * sent : sent,
                dropped ? Map.of("dropped", sent) : Map.of(),
                sums,
                List.of(),
                ClientHealth.of(new ClientLoad(wall, SECOND, 4, Duration.ZERO)),
                RequestSample.NONE,
                List.of());
    }

    private static Environment environment() {
        return new Environment(
                "0.1.0",
                Optional.of("bench-1"),
                "Linux 6.1.0 (amd64)",
                Optional.of("A CPU"),
                4,
                new Limits(Optional.empty(), Optional.empty(), Optional.empty()),
                1_024,
                "OpenJDK 64-Bit Server VM 17.0.15+6",
                "17.0.15",
                List.of("-Xmx1g"),
                List.of("java", "-jar", "phaseload.jar"),
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** Writes the run's files, and reads them back. */
    StoredRun stored(Path folder) throws IOException {
        ResultFolder results = ResultFolder.at(folder);
        try (IntervalFiles files = results.begin(result.plan())) {
            files.runStarted(Instant.parse("2026-11-20T12:00:00Z"));
            intervals.forEach(files::interval);
            if (files.failure().isPresent()) {
                throw files.failure().get();
            }
        }
        results.write(result);
        return StoredRun.read(folder);
    }

    String page() {
        return RunPage.write(result, intervals);
    }

    /** What charts show. */
    public List<Table> tables() {
        return RunTables.of(result, intervals);
    }

    /** One of them. */
    public Table table(String name) {
        return tables().stream()
                .filter(of -> of.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
