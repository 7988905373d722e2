package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** A plan by hand says what the command line says. */
class PlanFileTest {

    private static final String EVERYTHING =
            """
            # A comment
            name: nightly
            target:
              url: %s
              headers:
                Accept: text/html
              connectTimeout: 1s
              responseTimeout: 2500ms
              insecure: true
            operations:
              - GET /
              - method: POST
                path: /items
                body: '{"item": 7}'
                headers:
                  Content-Type: application/json
                checks: status=200 body~"ok"
            threads: 4
            duration: 50ms
            phases:
              - warmup=0.5 for 3 iterations
              - name: rise
                share: 1
                duration: 1s
                rate: 10/s..50/s
              - name: peak
                share: 1
            rate: 40/s
            overload: drop
            engine:
              name: events
              loops: 2
              transport: nio
              connectRate: 100/s
              pipeline: 4
            seed: 7
            labels:
              build: 1234
            thresholds:
              - p50 < 10s
              - peak: failures < 1%%
              - peak/POST /items: max < 10s
            """;

    @TempDir private Path folder;
    @RegisterExtension final RecordingServer server = RecordingServer.start();

    @Test
    void saysAllThatTheCommandLineSays() throws Exception {
        Path yaml = write("plan.yaml", EVERYTHING.formatted(server.url()));

        JsonNode file = plan("--plan", yaml);
        JsonNode line =
                plan(
                        "--name",
                        "nightly",
                        "--url",
                        server.url(),
                        "-H",
                        "Accept: text/html",
                        "--connect-timeout",
                        "1s",
                        "--timeout",
                        "2500ms",
                        "--insecure",
                        "--engine",
                        "events",
                        "--loops",
                        "2",
                        "--transport",
                        "nio",
                        "--connect-rate",
                        "100/s",
                        "--pipeline",
                        "4",
                        "--get",
                        "/",
                        "--post",
                        "/items",
                        "--body",
                        "{\"item\": 7}",
                        "--expect",
                        "status=200 body~'ok'",
                        "-c",
                        4,
                        "--duration",
                        "50ms",
                        "--phases",
                        "warmup=0.5 for 3 iterations, rise=1 for 1s at 10/s..50/s, peak=1",
                        "--rate",
                        "40/s",
                        "--overload",
                        "drop",
                        "--seed",
                        7,
                        "--label",
                        "build=1234",
                        "--threshold",
                        "p50 < 10s",
                        "--threshold",
                        "peak: failures < 1%",
                        "--threshold",
                        "peak/POST /items: max < 10s");

        // Only a file can give a request a header of its own.
        assertThat(file.at("/operations/1/headers/0/value").asString())
                .isEqualTo("application/json");
        ((ObjectNode) file.at("/operations/1")).remove("headers");
        assertThat(file).isEqualTo(line);
    }

    @Test
    void isRun() throws Exception {
        Path yaml =
                write(
                        "plan.yaml",
                        """
                        target: %s
                        operations: [GET /a, POST /b]
                        threads: 2
                        iterations: 3
                        phases: warmup=0.5, peak=1
                        thresholds:
                          - failures < 1%%
                        """
                                .formatted(server.url()));

        Cli run = Cli.run("--plan", yaml, "-o", folder.resolve("out"));

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(server.received()).hasSize(3 * 3 * 2);
        assertThat(run.out()).contains("Thresholds: 0 of 1 failed");
    }

    @Test
    void whatPlanPrintsIsTheSamePlan() throws Exception {
        Path yaml = write("plan.yaml", EVERYTHING.formatted(server.url()));
        Cli printed = Cli.run("plan", "--plan", yaml);
        Cli json = Cli.run("plan", "--plan", yaml, "--json");

        assertThat(printed.err()).isEmpty();
        assertThat(ResultSchema.PLAN.validate(json.out(), InputFormat.JSON)).isEmpty();
        assertThat(ResultSchema.PLAN.validate(json(EVERYTHING), InputFormat.JSON)).isEmpty();
        assertThat(plan("--plan", write("again.yaml", printed.out())))
                .isEqualTo(Cli.json(json.out()));
        assertThat(plan("--plan", write("again.json", json.out()))).isEqualTo(Cli.json(json.out()));
    }

    @Test
    void aTargetThatIsStartedHasNoAddress() throws Exception {
        JsonNode lambda =
                plan("--target", "lambda", "--lambda-instances", 3, "--lambda-cold-start", "20ms");

        assertThat(lambda.at("/target/kind").asString()).isEqualTo("lambda");
        assertThat(lambda.at("/target/url").isMissingNode()).isTrue();
        assertThat(lambda.at("/target/lambdaInstances").asInt()).isEqualTo(3);
        Path again = write("again.json", lambda.toString());
        assertThat(plan("--plan", again)).isEqualTo(lambda);
        assertThat(plan("--plan", again, "--url", server.url()).at("/target/url").asString())
                .isEqualTo(server.url().toString());
        assertThat(plan("--plan", write("none.yaml", "threads: 3\n")).at("/target/kind").asString())
                .isEqualTo("tomcat");
    }

    @Test
    void canComeFromStandardInput() {
        String yaml = "target: http://localhost/\nthreads: 3\n";
        for (String text :
                new String[] {yaml, " {\"target\": \"http://localhost/\",\t\"threads\": 3}"}) {
            JsonNode plan =
                    Cli.json(
                            Cli.withInput(text, () -> Cli.run("plan", "--json", "--plan", "-"))
                                    .out());
            assertThat(plan.at("/threads").asInt()).isEqualTo(3);
        }
        Cli run = Cli.withInput(yaml, () -> Cli.run("--plan", "-", "--post", "/", "--body", "@-"));
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().strip()).isEqualTo("--body @-: expected no --plan - beside it");
    }

    @Test
    void printsNoSecret() throws Exception {
        Cli plan =
                Cli.run(
                        "plan",
                        "--url",
                        "http://localhost/?api_key=hunter2",
                        "-H",
                        "Authorization: hunter2");

        assertThat(plan.code()).isZero();
        assertThat(plan.out()).doesNotContain("hunter2").contains("[redacted]");
    }

    @Test
    void nothingIsStartedByPlan() throws Exception {
        Cli plan = Cli.run("plan", "--url", server.url(), "--quiet");

        assertThat(plan.code()).isEqualTo(ExitCode.USAGE);
        assertThat(Cli.run("plan", "--url", server.url()).code()).isZero();
        assertThat(server.received()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "thread: 3 | line 2: key thread: no such key, did you mean threads?",
                "wibble: 3 | line 2: key wibble: no such key, expected name, target, operations",
                "engine: {nam: events} | line 2: key nam: no such key, did you mean name?",
                "phases: [{nme: a}] | line 2: key nme: no such key, did you mean name?",
                "phases: [{name: a}] | line 2: phases.0: expected a key share",
                "phases: [{name: a, share: 2}] | line 2: phases.0: phase a: share 2.0: expected",
                "phases: [a=1 fr 3s] | line 2: phases.0: expected ',', 'for', 'at' or the end at"
                        + " character 5",
                "phases: [a=1, a=1] | phase 'a': expected names that are unique",
                "phases: peak=2 | line 2: phases: expected a share above 0 and at most 1",
                "threads: many | line 2: threads many: expected a whole number of 1 or more",
                "threads: [3] | line 2: threads: expected a whole number or a text",
                "threads: 0 | line 2: threads 0: expected a whole number of 1 or more",
                "rate: fast | line 2: rate fast: expected a rate such as 500/s",
                "duration: 30 | line 2: duration: expected a text",
                "duration: 30x | line 2: duration 30x: expected a time above 0",
                "virtualThreads: 3 | line 2: virtualThreads: expected true or false",
                "arrivals: often | line 2: arrivals often: expected constant or poisson",
                "target: {url: ftp://h/} | url ftp://h/: expected http",
                "target: ftp://h/ | url ftp://h/: expected http",
                "target: jetty | target jetty: expected tomcat or lambda",
                "operations: [FETCH] | line 2: operations.0: expected a method and a path",
                "operations: [{method: GET, path: x}] | line 2: operations.0: path 'x': expected",
                "operations: [{path: /}] | line 2: operations.0: expected a key method",
                "thresholds: [p98 < 1s] | threshold 'p98 < 1s': expected mean",
                "thresholds: [{peek: p95 < 1s}] | threshold 'peek: p95 < 1s': expected a phase of",
                "seed: 1 | line 2: key seed: expected it once",
                "x: [1 | line ",
            })
    void aMistakeIsNamedWithItsLine(String line, String message) throws Exception {
        String first = line.startsWith("seed") ? "seed: 2\n" : "name: a\n";
        Path file = write("plan.yaml", first + line + "\n");

        Cli run = Cli.run("--plan", file, "-o", folder.resolve("no"));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("--plan " + file + ": ").contains(message).hasLineCount(1);
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | expected a plan",
                "`` | expected a plan",
                "{ | line ",
                "{\"a\": 1,\\n\\n\"a\": 2} | line 3: key a: expected it once",
            })
    void aFileThatIsNoPlanIsRefused(String json, String message) throws Exception {
        Path file = write("plan.json", json.replace("\\n", "\n"));

        Cli run = Cli.run("--plan", file);

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("--plan " + file + ": ").contains(message).hasLineCount(1);
        assertThat(Cli.run("--plan", folder.resolve("none")).code()).isEqualTo(ExitCode.USAGE);
    }

    /** Of the option's name, not of the file. */
    @Test
    void aMistakeBesideTheFileIsTheCommandLines() throws Exception {
        Path file = write("plan.yaml", "threads: 3\n");

        assertThat(Cli.run("--plan", file, "--rate", "fast").err().strip())
                .isEqualTo("--rate fast: expected a rate such as 500/s, 1.5k/s or 30/m");
        assertThat(Cli.run("--plan", file, "--thread", 3).err().strip())
                .isEqualTo("--thread: no such option, did you mean --threads?");
    }

    @Test
    void optionsReplaceWhatContradictsThem() throws Exception {
        Path file = write("plan.yaml", "rate: 5/s\narrivals: poisson\niterations: 3\n");

        JsonNode closed = plan("--plan", file, "--think", "5ms", "--duration", "1s");

        assertThat(closed.at("/phases/0/load/model").asString()).isEqualTo("closed");
        assertThat(closed.at("/phases/0/durationMs").asDouble()).isEqualTo(1_000);
    }

    @Test
    void aSystemPropertyWinsToo() throws Exception {
        Path file = write("plan.yaml", "threads: 3\n");

        Cli plan = Cli.runWith(Map.of("threads", "5"), "plan", "--json", "--plan", file);

        assertThat(Cli.json(plan.out()).at("/threads").asInt()).isEqualTo(5);
    }

    @Test
    void aBodyCanBeAFile() throws Exception {
        Path body = write("body.json", "{}");
        Path file =
                write(
                        "plan.yaml",
                        "operations: [{method: PUT, path: /a, bodyFile: '" + body + "'}]\n");

        assertThat(plan("--plan", file).at("/operations/0/body").asString()).isEqualTo("{}");
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private String json(String yaml) throws Exception {
        return YAMLMapper.shared().readTree(yaml.formatted(server.url())).toString();
    }

    private static JsonNode plan(Object... options) {
        Cli plan =
                Cli.run(Stream.concat(Stream.of("plan", "--json"), Stream.of(options)).toArray());
        assertThat(plan.err()).isEmpty();
        assertThat(plan.code()).isZero();
        return Cli.json(plan.out());
    }
}
