package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.check.Requirement;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.check.ValueCheck;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Http2Windows;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.journey.Condition;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read back as it was, or isn't written. */
class PlanRoundTripTest {

    private static final String EVERY_KIND =
            """
            status=2xx,304 status<400 status!=404 not:status>=300 time<1.5s size<=10k type=json type!='text/html'
            header:X-Id=1 header:X-Id~c not:header:X-Id cookie:sid cookie:lang!=en
            json:/a~1b/0>0 json:'/a b'='c d' json:/total~'100' jsonpath:$..[?(@.id==8)].name=x
            css:'ul > li'=one css:a@href~/next/ css:a@href~'/next' xpath:count(//li[@id='x'])>1 xpath://h1='Shop'
            count:json:/items/*=2 count:header:X-Id<3 count:css:li>=10 body~/id=[0-9]+ (?P<n>x)/ body!~/^$/
            bytes~ffd8 bytes=00 sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
            schema:'{}' not:schema:'{"a": ''x''}' warn:time<300ms as 'slow' warn:not:json:/error as "an error"
            """;

    /** What YAML, our grammars or both could take for something else. */
    private static final List<String> TEXTS = List.of(
            "plain",
            "007",
            "1e3",
            "0x1F",
            "0o17",
            "1_000",
            ".inf",
            "-1",
            "+1",
            "1.50",
            "true",
            "no",
            "null",
            "Null",
            "2001-01-01",
            "12:30",
            " blanks ",
            "a: b",
            "- a",
            "# a",
            "it's",
            "it''s",
            "\"quoted\"",
            "'a' \"b\"",
            "a' status=200 body~'b",
            "x\" body~\"y",
            "line\nbreak",
            "end\n",
            "\nbegin",
            "dos\r\nbreak",
            "\ttab\t",
            "größe €😀",
            "\u0000\u001b",
            "\u0085\u2028",
            "[x]",
            "{x}",
            "100 %",
            "@home",
            "&a",
            "*a",
            "!t",
            "!!str x",
            "|",
            ">",
            "?",
            "-",
            "`",
            "%a",
            "a\\b",
            "$x",
            "{{x}}",
            "... ",
            "---");

    private static final URI URL = URI.create("https://localhost:8443/shop?q=1");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"plan.yaml", "plan.json"})
    void whatIsWrittenIsRead(String name) throws Exception {
        Path file = folder.resolve(name);
        for (int seed = 0; seed < 300; seed++) {
            Plan plan = new Rich(new Random(seed)).plan();
            PlanFile.write(plan, file);
            assertThat(PlanFile.read(file)).as("seed %d", seed).isEqualTo(plan);
        }
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aResultHasThePlanAsItWas() {
        for (int seed = 0; seed < 300; seed++) {
            Plan plan = new Rich(new Random(seed)).plan();
            assertThat(PlanFile.ofResult(PlanFile.toResultJson(plan)))
                    .as("seed %d", seed)
                    .isEqualTo(plan);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "${NAME}", "Bearer ${TOKEN} x"})
    void aTextThatNoFileCanHaveIsNotWritten(String text) {
        Path file = folder.resolve("plan.yaml");
        PlanBuilder plan = Plan.builder(URI.create("http://localhost/"));
        for (Plan one : List.of(
                plan.operations(Operation.get("/").named(text)).build(),
                plan.operations(Operation.get("/").withChecks(new Check.BodyCheck(text, false)))
                        .label("a", text)
                        .build())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PlanFile.write(one, file))
                    .withMessageStartingWith("plan: ");
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void aSeedThatNoFileCanHaveIsNotWritten() {
        Plan plan = Plan.builder(URI.create("http://localhost/")).seed(-1).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanFile.write(plan, folder.resolve("plan.yaml")))
                .withMessageStartingWith("seed -1: expected 0 to ");
    }

    /** A plan of random parts. */
    private record Rich(Random random) {

        Plan plan() {
            boolean events = random.nextBoolean();
            PlanBuilder plan = Plan.builder(URL)
                    .name("a" + random.nextInt(100))
                    .connectTimeout(time())
                    .responseTimeout(one(time(), Duration.ofDays(1), Duration.ofNanos(1)))
                    .seed(one(0L, 1L, Long.MAX_VALUE))
                    .threads(1 + random.nextInt(1_000_000))
                    .header(new Header("X-Text", header()))
                    .operations(operation("/", 1), operation("/", 2))
                    .phases(phase("warmup"), phase("peak"), phase("end-1"))
                    .virtualThreads(!events && random.nextBoolean())
                    .engine(events ? events() : EngineSettings.THREADS)
                    .threshold(Threshold.parse("peak: p99 < 250ms"))
                    .threshold(Threshold.parse("failures < 0.1% abort"));
            for (int i = random.nextInt(3); i > 0; i--) {
                plan.label(text(), random.nextInt(10) == 0 ? "" : text());
            }
            if (random.nextBoolean()) {
                plan.tlsFiles(new TlsFiles(
                        Optional.of(Path.of("/ca 1.pem")),
                        Optional.of(Path.of("/007")),
                        random.nextBoolean() ? Optional.of(Path.of("/a:b")) : Optional.empty()));
            } else {
                plan.insecure(random.nextBoolean());
            }
            if (random.nextBoolean()) {
                plan.serverMetrics(new ServerMetrics(
                        URI.create("/metrics"), Map.of("busy", ServerMetrics.Choice.parse("rate(x{a=\"b\"})"))));
            }
            return plan.build();
        }

        private EngineSettings events() {
            EngineSettings.Builder engine = EngineSettings.builder("events")
                    .loops(1 + random.nextInt(1_024))
                    .keepGoing(random.nextBoolean())
                    .protocol(
                            random.nextBoolean()
                                    ? new Protocol.Http1(1 + random.nextInt(1_000))
                                    : new Protocol.Http2(
                                            1 + random.nextInt(10_000),
                                            one(Http2Windows.DEFAULT, Http2Windows.parse("1MiB,2MiB"))));
            return (random.nextBoolean() ? engine.transport("nio") : engine.connectRate(rate())).build();
        }

        private Operation operation(String path, int number) {
            Operation bare = Operation.of(one("GET", "POST"), path).named(text() + number);
            Operation whole =
                    switch (random.nextInt(3)) {
                        case 0 -> bare;
                        case 1 -> bare.withBody(Body.ofText(one(text(), "~", "${A}")));
                        default -> bare.withBody(Body.ofBytes(new byte[] {(byte) 0xff, 0}));
                    };
            List<Check> checks = new ArrayList<>(Check.parse(EVERY_KIND));
            checks.add(new Check.BodyCheck(text(), false));
            checks.add(new Check.Named(new Check.BodyCheck(text() + text(), true), "a cause"));
            Subject header = new Subject(Subject.Kind.HEADER, "X-Id", false);
            checks.add(new Check.Soft(new Check.Negated(
                    new ValueCheck(header, new Requirement.Compares(Condition.ConditionOperator.EQUAL, text())))));
            return whole.withChecks(checks.toArray(Check[]::new))
                    .withMetrics(Metric.parse("m=/a b:ms"), Metric.parse("n="));
        }

        private Phase phase(String name) {
            return new Phase(name, one(1.0, 0.1, 1e-9, 1 / 3.0), length(), load());
        }

        private PhaseLength length() {
            return switch (random.nextInt(3)) {
                case 0 -> new PhaseLength.Iterations(one(1L, 1_000_000_000L));
                    // The plans' requests of an iteration divide it.
                case 1 -> new PhaseLength.Total(one(5_040L, 720_720_000L));
                default -> new PhaseLength.Lasting(time());
            };
        }

        private Load load() {
            if (random.nextBoolean()) {
                return new Load.Open(schedule(), one(Load.Overload.QUEUE, Load.Overload.DROP));
            }
            Pause pause = new Pause(Duration.ofNanos(1), time());
            return random.nextBoolean()
                    ? new Load.Closed(pause, Pause.NONE, Duration.ZERO)
                    : new Load.Closed(Pause.NONE, pause, time());
        }

        private Schedule schedule() {
            return switch (random.nextInt(5)) {
                case 0 -> new ConstantArrivals(rate());
                case 1 -> new PoissonArrivals(rate(), random.nextLong());
                case 2 -> new RampArrivals(rate(), rate(), time());
                case 3 -> new BurstArrivals(1 + random.nextInt(1_000), time());
                default -> new StepArrivals(
                        List.of(new StepArrivals.Step(rate(), time()), new StepArrivals.Step(rate(), time())));
            };
        }

        private Rate rate() {
            return Rate.parse(one("500/s", "0.000001/s", "30/m", "1.5k/7s", "10m/s"));
        }

        private Duration time() {
            return Duration.ofNanos(1 + random.nextLong(one(10L, 1_000_000L, 86_400_000_000_000L)));
        }

        private String text() {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }

        /** Without what no header has. */
        private String header() {
            return text().replaceAll("[^\\t\\x20-\\x7e\\x80-\\xff]", "");
        }

        @SafeVarargs
        private <T> T one(T... any) {
            return any[random.nextInt(any.length)];
        }
    }
}
