package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.ResultSchema;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @Test
    void saysAllThatTheCommandLineSays() throws Exception {
        Path yaml = write("plan.yaml", EVERYTHING.formatted(server.url()));

        JsonNode file = plan("--plan", yaml);
        JsonNode line = plan(
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
        assertThat(file.at("/operations/1/headers/0/value").asString()).isEqualTo("application/json");
        ((ObjectNode) file.at("/operations/1")).remove("headers");
        assertThat(file).isEqualTo(line);
    }

    @Test
    void isRun() throws Exception {
        Path yaml = write(
                "plan.yaml",
                """
                        target: %s
                        operations: [GET /a, POST /b]
                        threads: 2
                        iterations: 3
                        phases: warmup=0.5, peak=1
                        thresholds:
                          - failures < 50%%
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
        assertThat(ResultSchema.PLAN.validate(json(EVERYTHING), InputFormat.JSON))
                .isEmpty();
        assertThat(plan("--plan", write("again.yaml", printed.out()))).isEqualTo(Cli.json(json.out()));
        assertThat(plan("--plan", write("again.json", json.out()))).isEqualTo(Cli.json(json.out()));
    }

    @Test
    void aTargetThatIsStartedHasNoAddress() throws Exception {
        JsonNode lambda = plan("--target", "lambda", "--lambda-instances", 3, "--lambda-cold-start", "20ms");

        assertThat(lambda.at("/target/kind").asString()).isEqualTo("lambda");
        assertThat(lambda.at("/target/url").isMissingNode()).isTrue();
        assertThat(lambda.at("/target/lambdaInstances").asInt()).isEqualTo(3);
        Path again = write("again.json", lambda.toString());
        assertThat(plan("--plan", again)).isEqualTo(lambda);
        assertThat(plan("--plan", again, "--url", server.url())
                        .at("/target/url")
                        .asString())
                .isEqualTo(server.url().toString());
        assertThat(plan("--plan", write("none.yaml", "target: tomcat\nthreads: 3\n"))
                        .at("/target/kind")
                        .asString())
                .isEqualTo("tomcat");
    }

    @Test
    void canComeFromStandardInput() {
        String yaml = "target: http://localhost/\nthreads: 3\n";
        for (String text : new String[] {yaml, " {\"target\": \"http://localhost/\",\t\"threads\": 3}"}) {
            JsonNode plan = Cli.json(Cli.withInput(text, () -> Cli.run("plan", "--json", "--plan", "-"))
                    .out());
            assertThat(plan.at("/threads").asInt()).isEqualTo(3);
        }
        Cli run = Cli.withInput(yaml, () -> Cli.run("--plan", "-", "--post", "/", "--body", "@-"));
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().strip()).isEqualTo("--plan - cannot be combined with --body @-");
    }

    @Test
    void printsNoSecret() throws Exception {
        Cli plan = Cli.run("plan", "--url", "http://localhost/?api_key=hunter2", "-H", "Authorization: hunter2");

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

    /** As text they would be refused when the plan is read again. */
    @ParameterizedTest
    @ValueSource(strings = {"@home", "Bearer ${TOKEN}", "~"})
    void aBodyThatLooksLikeSomethingElseIsPrintedAsBytes(String body) throws Exception {
        Path content = write("body", body);
        JsonNode plan = plan("--url", server.url(), "--post", "/", "--body", "@" + content);

        assertThat(plan.at("/operations/0/bodyBase64").isString()).isTrue();
        assertThat(plan("--plan", write("again.json", plan.toString()))).isEqualTo(plan);
    }

    @Test
    void optionsReplaceWhatContradictsThem() throws Exception {
        Path file = write("plan.yaml", "target: tomcat\nrate: 5/s\narrivals: poisson\niterations: 3\n");

        JsonNode closed = plan("--plan", file, "--think", "5ms", "--duration", "1s");

        assertThat(closed.at("/phases/0/load/model").asString()).isEqualTo("closed");
        assertThat(closed.at("/phases/0/durationMs").asDouble()).isEqualTo(1_000);
    }

    @Test
    void aSystemPropertyWinsToo() throws Exception {
        Path file = write("plan.yaml", "target: tomcat\nthreads: 3\n");

        Cli plan = Cli.runWith(Map.of("threads", "5"), "plan", "--json", "--plan", file);

        assertThat(Cli.json(plan.out()).at("/threads").asInt()).isEqualTo(5);
    }

    @Test
    void aBodyCanBeAFile() throws Exception {
        Path body = write("body.json", "{}");
        Path file =
                write("plan.yaml", "target: tomcat\noperations: [{method: PUT, path: /a, bodyFile: '" + body + "'}]\n");

        assertThat(plan("--plan", file).at("/operations/0/body").asString()).isEqualTo("{}");
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private String json(String yaml) throws Exception {
        return YAMLMapper.shared().readTree(yaml.formatted(server.url())).toString();
    }

    private static JsonNode plan(Object... options) {
        Cli plan = Cli.run(
                Stream.concat(Stream.of("plan", "--json"), Stream.of(options)).toArray());
        assertThat(plan.err()).isEmpty();
        assertThat(plan.code()).isZero();
        return Cli.json(plan.out());
    }

    /** With what is said only of what is on. */
    @Test
    void anOptionTurnsOffWhatTheFileTurnsOn() throws Exception {
        Path file = folder.resolve("on.yaml");
        Files.writeString(
                file,
                """
                target: {url: 'http://h/', insecure: true}
                engine: {name: events, http2: true, streams: 5, keepGoing: true}
                """);

        JsonNode plan = Cli.run(
                        "plan", "--json", "--plan", file, "--insecure=false", "--http2=false", "--keep-going=false")
                .json();

        assertThat(plan.at("/target/insecure").asBoolean()).isFalse();
        assertThat(plan.get("engine").propertyNames()).containsExactly("name");
    }

    @Test
    void whatNoFileCanHaveIsAUsageError() {
        Cli plan = Cli.run("plan", "--url", "http://h/", "--label", "a=${B}");
        assertThat(plan.code()).isEqualTo(ExitCode.USAGE);
        assertThat(plan.err())
                .contains("plan: labels.a: expected the value in place of ${B}, which nothing fills" + " in");
    }
}
