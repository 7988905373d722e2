package io.phaseload.result;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.run.EngineUse;
import io.phaseload.settings.SecretOptions;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results in which every figure is made up, so that what is written of them is known. */
public final class FixedResults {

    /** Is in every place of {@link #interrupted()} that may hold a secret. */
    public static final String SECRET = "hunter2";

    private static final Instant START = Instant.ofEpochMilli(1_538_247_095_282L);
    private static final List<Outcome> FAILURES = List.of(
            new Outcome.HttpFailure(503),
            new Outcome.HttpFailure(503),
            Outcome.NoResponse.READ_TIMEOUT,
            new Outcome.Reset(Outcome.Reset.Stage.IN_BODY),
            new Outcome.TlsFailure("Received fatal alert: handshake_failure"),
            new Outcome.CheckFailure(new Check.BodyCheck("alive", false).cause()),
            new Outcome.ClientFault("no free local port", "Cannot assign requested address"));

    private FixedResults() {}

    /** The default course of 20 threads and 100 iterations, without a failure. */
    public static Result passed() {
        Plan plan = Plan.builder(URI.create("http://localhost:8080/"))
                .scenario(Scenario.getThenPost())
                .threads(20)
                .iterations(100)
                .threshold(Threshold.parse("peak: p99 < 250ms"))
                .threshold(Threshold.parse("peak/GET /: failures < 1% abort"))
                .threshold(Threshold.parse("rps > 500"))
                .build();
        List<PhaseMeasurement> phases = new ArrayList<>();
        Instant startedAt = START;
        for (Phase phase : plan.phases()) {
            int users = phase.users(20);
            Duration wall = Duration.ofMillis(4_589 + users);
            phases.add(new PhaseMeasurement(
                    phase,
                    users,
                    Optional.of(startedAt),
                    wall,
                    users * 200L,
                    Map.of(),
                    successes(users * 100),
                    List.of(),
                    ClientHealth.of(new ClientLoad(wall, Duration.ofMillis(users * 100L), 4, Duration.ZERO)),
                    RequestSample.NONE,
                    List.of()));
            startedAt = startedAt.plus(wall);
        }
        return ResultBuilder.of(
                        plan,
                        environment(List.of("-Xmx1g")),
                        new Measurement(
                                EngineUse.THREADS,
                                START,
                                Duration.ofMillis(21_781),
                                phases,
                                false,
                                Optional.empty(),
                                List.of()))
                .withRunId("00000000-0000-4000-8000-000000000001");
    }

    /** The same, sent by two agents, of which one was lost. */
    public static Result ofAgents() {
        Agents.Agent one = new Agents.Agent(
                "one",
                "load-1",
                2,
                "1,2/3",
                Optional.of("/tmp/results/one"),
                Optional.empty(),
                Optional.of(new Agents.Measured(2600, 0, 260.5, Optional.of(4.125), Optional.empty())),
                Optional.of("VALID"),
                Optional.of(new Agents.Difference(12.5, 3.25, -1.5, 2)),
                List.of(
                        new Agents.Clock(
                                0.5,
                                -0.25,
                                0.0625,
                                -0.2,
                                0.125,
                                0.25,
                                0.75,
                                100,
                                true,
                                Optional.empty(),
                                Optional.empty()),
                        new Agents.Clock(
                                3.5,
                                -0.125,
                                0.0625,
                                -0.1,
                                0.1,
                                0.25,
                                0.5,
                                20,
                                true,
                                Optional.of(new Agents.TimeOfDay(-3.5, 0.065)),
                                Optional.of(new Agents.Chrony(-3.25, 0.6)))),
                Optional.of(new Agents.Drift(-2.5, 4.25)),
                Optional.of(new Agents.Chrony(-0.0125, 0.3)));
        Agents.Agent two = new Agents.Agent(
                "two",
                "load-2",
                1,
                "3/3",
                Optional.empty(),
                Optional.of(new Agents.Lost("it isn't running any more", 3.5, 6.5, 850)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
        return passed().withAgents(new Agents(
                List.of(one, two),
                List.of(new Agents.Start(
                        "peak", 0.5, 0.125, 0.75, Optional.of(new Agents.Wait("two", 3.25)), Optional.empty())),
                List.of(new Agents.PeerClocks(
                        "two",
                        "one",
                        List.of(new Agents.Clock(
                                0.55, 2.5, 0.05, 2.52, 0.1, 0.15, 0.3, 20, true, Optional.empty(), Optional.empty())),
                        Optional.of(new Agents.Drift(-1.5, 2.5))))));
    }

    /** A run with everything in it: failures, secrets, a phase by time, one that wasn't reached. */
    public static Result interrupted() {
        Plan plan = planWithSecrets();
        ClientHealth busy = ClientHealth.of(
                new ClientLoad(Duration.ofSeconds(2), Duration.ofMillis(7_200), 4, Duration.ofMillis(220)));
        List<PhaseMeasurement> phases = List.of(
                new PhaseMeasurement(
                        plan.phases().get(0),
                        2,
                        Optional.of(START),
                        Duration.ofMillis(500),
                        12,
                        Map.of("interrupted", 4L),
                        failures(),
                        List.of(),
                        busy,
                        RequestSample.NONE,
                        List.of()),
                new PhaseMeasurement(
                        plan.phases().get(1),
                        4,
                        Optional.empty(),
                        Duration.ZERO,
                        0,
                        Map.of(),
                        List.of(new Tally(), new Tally(), new Tally()),
                        List.of(),
                        ClientHealth.NONE,
                        RequestSample.NONE,
                        List.of()));
        return ResultBuilder.of(
                        plan,
                        environment(List.of("-Xmx1g", SecretOptions.redactFlag("-Ddb.password=" + SECRET))),
                        new Measurement(
                                EngineUse.THREADS,
                                START,
                                Duration.ofMillis(512),
                                phases,
                                true,
                                Optional.empty(),
                                List.of()))
                .withTarget(new Result.TargetCount("tomcat", "Tomcat at http://localhost:8080/", 9_999))
                .withRunId("00000000-0000-4000-8000-000000000002");
    }

    private static KeptRequest kept(Sample sample) {
        String message = sample.exchange().outcome().detail();
        return KeptRequest.of(sample, START, "GET /", message, 1, Optional.empty());
    }

    /** A run of one phase in which every request failed, each operation in its own way. */
    public static Result failed(String phase) {
        PhaseRecorder recorder = new PhaseRecorder(2);
        for (int i = 0; i < 40; i++) {
            recorder.record(0, sample(0, new Outcome.HttpFailure(503)), FixedResults::kept);
            recorder.record(1, sample(1, new Outcome.TlsFailure("certificate_unknown")), FixedResults::kept);
        }
        return ofOnePhase(phase, recorder.sums().totals());
    }

    /** A run of one phase in which one in fifty requests took 1 s, the others 5 ms. */
    public static Result slow() {
        PhaseRecorder recorder = new PhaseRecorder(2);
        for (int i = 0; i < 1_000; i++) {
            long nanos = i % 50 == 0 ? 1_000_000_000 : 5_000_000;
            recorder.record(i, new Sample(0, 0, Exchanges.of(0, nanos, Outcome.SUCCESS, 150, 0, false)));
        }
        return ofOnePhase("peak", recorder.sums().totals());
    }

    /** A run of one phase in which every request was redirected, but for one not modified. */
    public static Result redirected() {
        PhaseRecorder recorder = new PhaseRecorder(2);
        for (int status : new int[] {302, 302, 301, 304}) {
            recorder.record(
                    0,
                    new Sample(
                            0,
                            0,
                            new Exchange(
                                    0,
                                    1_000,
                                    2_000_000,
                                    Outcome.SUCCESS,
                                    status,
                                    1_000,
                                    null,
                                    false,
                                    status == 301 ? 1 : 0,
                                    null,
                                    Exchange.NO_LEASE)));
        }
        return ofOnePhase("peak", recorder.sums().totals());
    }

    private static Sample sample(int operation, Outcome outcome) {
        return new Sample(operation, 0, Exchanges.of(0, 2_000_000, outcome, 100, 0, false));
    }

    private static Result ofOnePhase(String name, List<Tally> tallies) {
        Plan plan = Plan.builder(URI.create("http://localhost:8080/"))
                .scenario(Scenario.getThenPost())
                .threads(2)
                .phases(new Phase(name, 1, new PhaseLength.Iterations(20)))
                .label("build", "1234")
                .threshold(Threshold.parse("rps > 5"))
                .build();
        PhaseMeasurement phase = new PhaseMeasurement(
                plan.phases().get(0),
                2,
                Optional.of(START),
                Duration.ofSeconds(2),
                tallies.stream().mapToLong(Tally::requests).sum(),
                Map.of(),
                tallies,
                List.of(),
                ClientHealth.of(new ClientLoad(Duration.ofSeconds(2), Duration.ofMillis(20), 4, Duration.ZERO)),
                RequestSample.NONE,
                List.of());
        return ResultBuilder.of(
                plan,
                environment(List.of()),
                new Measurement(
                        EngineUse.THREADS,
                        START,
                        Duration.ofMillis(2_100),
                        List.of(phase),
                        false,
                        Optional.empty(),
                        List.of()));
    }

    private static Plan planWithSecrets() {
        Operation search = new Operation(
                "GET /search?q=shoes&session_token=" + SECRET,
                "GET",
                "/search?q=shoes&session_token=" + SECRET,
                List.of(new Header("Cookie", "id=" + SECRET), new Header("Accept-Language", "ar")),
                Optional.empty(),
                List.of(new Check.StatusIs(200), new Check.BodyCheck("alive", false)));
        return Plan.builder(URI.create("https://shop.example/app"))
                .name("everything")
                .header(new Header("Authorization", "Bearer " + SECRET))
                .header(new Header("X-Api-Key", SECRET))
                .header(new Header("Accept", "text/html"))
                .insecure(true)
                .responseTimeout(Duration.ofMillis(1_500))
                .threads(4)
                .operations(
                        search,
                        Operation.post("/items", Body.ofText("{\"name\": \"größe\"}")),
                        Operation.of("PUT", "/blob").withBody(Body.ofBytes(new byte[] {0, (byte) 0xff})))
                .phases(
                        new Phase("warmup", 0.5, new PhaseLength.Iterations(2)),
                        new Phase("soak", 1, new PhaseLength.Lasting(Duration.ofSeconds(90))))
                .label("build", "1234")
                .threshold(Threshold.parse("warmup/" + search.name() + ": p99 < 1s"))
                .threshold(Threshold.parse("warmup: failures < 10"))
                .threshold(Threshold.parse("rps > 5"))
                .build();
    }

    /** As many GETs as POSTs, of 1 ms, 2 ms and so on up to 50 ms, each user with a connection. */
    public static List<Tally> successes(int each) {
        PhaseRecorder recorder = new PhaseRecorder(2);
        for (int i = 0; i < each; i++) {
            long nanos = (i % 50 + 1) * 1_000_000L;
            long setUp = i % 100 == 0 ? 300_000 : 0;
            recorder.record(i, new Sample(0, 0, Exchanges.of(0, nanos, Outcome.SUCCESS, 150, setUp, false)));
            recorder.record(i, new Sample(1, 0, Exchanges.of(0, nanos, Outcome.SUCCESS, 250, 0, false)));
        }
        return recorder.sums().totals();
    }

    /** The second operation has all failures; the third was never sent. */
    private static List<Tally> failures() {
        PhaseRecorder recorder = new PhaseRecorder(3);
        recorder.record(0, new Sample(0, 0, Exchanges.of(250, 4_000, Outcome.SUCCESS, 99, 4_000_000, true)));
        for (int i = 0; i < FAILURES.size(); i++) {
            recorder.record(1, new Sample(1, 0, Exchanges.of(0, (i + 1) * 200_000_000L, FAILURES.get(i), i, 0, false)));
        }
        return recorder.sums().totals();
    }

    private static Environment environment(List<String> flags) {
        return new Environment(
                "0.1.0",
                Optional.of("bench-1"),
                "Linux 6.1.0 (amd64)",
                Optional.empty(),
                4,
                new Limits(Optional.of(1.5), Optional.of(2_048L), Optional.of(1_048_576L)),
                1_024,
                "OpenJDK 64-Bit Server VM 17.0.15+6",
                "17.0.15",
                flags,
                List.of("java", "-jar", "phaseload.jar"),
                Map.of("linkPercent", "not in /sys/class/net/*/speed"),
                Optional.of("0123456789abcdef0123456789abcdef01234567"),
                Optional.empty());
    }
}
