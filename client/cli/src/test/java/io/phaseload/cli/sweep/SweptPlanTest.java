package io.phaseload.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.sweep.rows.TrialCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps of a plan's file: what parameters stand for in it. */
class SweptPlanTest {

    private static final String OPERATIONS =
            """
            target: {url: "http://127.0.0.1:1/", headers: {X-Size: "{size}"}}
            threads: 1
            iterations: 1
            operations:
              - GET /lines/{size}
              - {method: PUT, path: "/items/{size}?trial={trial}", body: '{"size": "{size}", "n": {1}}'}
              - {name: "named {size}", method: GET, path: "/named", headers: {X-Own: "{size}{other}"}}
            labels: {bytes: "{size}"}
            thresholds: ['*/GET /lines/{size}: failures < 1', "*/named {size}: failures < 1"]
            """;

    private static final String SCENARIO =
            """
            target: {url: "http://127.0.0.1:1/", headers: {X-Size: "{size}"}}
            threads: 1
            iterations: 1
            variables: {where: "at {size}", own: x}
            scenarios:
              - name: write
                steps:
                  - {put: "/items/{size}/{user}", json: {name: "{size}", literal: "{{size}", step: "{step}"}}
                  - {think: "{pause}"}
                  - {get: "/where", headers: {X-Where: "{urlencode:{where}}"}}
            labels: {bytes: "{size}"}
            """;

    @TempDir
    private Path folder;

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli sweep(String plan, Object... more) throws IOException {
        Path file = Files.writeString(folder.resolve("plan.yaml"), plan);
        List<Object> line = new ArrayList<>(List.of("sweep", "--plan", file, "--out", out));
        line.addAll(List.of("--warmup", "0s"));
        line.addAll(List.of(more));
        return Cli.run(line.toArray());
    }

    private List<String> operations() throws IOException {
        return TrialCsv.read(out).rows().stream()
                .map(row -> row.text("bytes") + " " + row.text("operation"))
                .toList();
    }

    @Test
    void parametersAreFilledIntoRequestsWhichKeepTheirNames() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = sweep(OPERATIONS, "--url", server.url(), "--param", "size=1k,2k");
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            assertThat(server.received())
                    .extracting(request -> request.line() + " " + request.text())
                    .containsExactly(
                            "GET /lines/1k ",
                            "PUT /items/1k?trial=1 {\"size\": \"1k\", \"n\": {1}}",
                            "GET /named ",
                            "GET /lines/2k ",
                            "PUT /items/2k?trial=1 {\"size\": \"2k\", \"n\": {1}}",
                            "GET /named ");
            assertThat(server.received())
                    .extracting(request -> request.headers().getFirst("X-Size"))
                    .containsExactly("1k", "1k", "1k", "2k", "2k", "2k");
            assertThat(server.received().get(2).headers().getFirst("X-Own")).isEqualTo("1k{other}");
        }
        assertThat(operations())
                .containsExactly(
                        "1k GET /lines/{size}",
                        "1k PUT /items/{size}?trial={trial}",
                        "1k named {size}",
                        "2k GET /lines/{size}",
                        "2k PUT /items/{size}?trial={trial}",
                        "2k named {size}");
    }

    @Test
    void aScenarioTakesParametersAsItTakesVariables() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            String plan = SCENARIO.replace("\"/where\",", "\"/where\", checks: 'status={code}',");
            Object[] more = {"--param=size=a{b,c d", "--param=pause=1ms", "--param=code=200"};
            Cli run = sweep(plan, Cli.line(List.of("--url", server.url()), more));
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            assertThat(server.received().get(0).text())
                    .isEqualTo("{\"name\":\"a{b\",\"literal\":\"{size}\",\"step\":\"1\"}");
            assertThat(server.received())
                    .extracting(request -> request.headers().getFirst("X-Where"))
                    .containsExactly(null, "at%20a%7Bb", null, "at%20c%20d");
            assertThat(server.received())
                    .extracting(request -> request.headers().getFirst("X-Size"))
                    .containsExactly("a{b", "a{b", "c d", "c d");
        }
        assertThat(operations())
                .containsExactly(
                        "a{b PUT /items/{size}/{user}",
                        "a{b GET /where",
                        "c d PUT /items/{size}/{user}",
                        "c d GET /where");
    }

    /** What every sweep has is no reason to refuse a plan that has its own. */
    @Test
    void aScenariosOwnValueIsBeforeThoseThatAllSweepsHave() throws Exception {
        String plan = SCENARIO.replace("own: x", "step: mine").replace("{pause}", "1ms");
        try (RecordingServer server = RecordingServer.start()) {
            assertThat(sweep(plan, "--url", server.url(), "--param", "size=a").err())
                    .isEmpty();
            assertThat(server.received().get(0).text()).contains("\"step\":\"mine\"");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "own=a|--param own: expected another name: the plan's scenarios have a value variables.own",
                "user=a|--param user: expected another name: {user} is a value that every scenario has",
                "unused=a|--param unused=a: expected {unused} in an option or in the plan"
            })
    void aNameThatAScenarioHasAndOneThatNothingUsesAreRefused(String param, String line) throws Exception {
        Cli run = sweep(SCENARIO, "--param", "size=a", "--param", "pause=1ms", "--param", param);
        assertThat(run).isEqualTo(new Cli(2, "", line + "\n"));
        assertThat(out).doesNotExist();
    }

    @Test
    void whatNothingFillsInIsRefusedWhereItIsWritten() throws Exception {
        String place = "--plan " + folder.resolve("plan.yaml") + ": line ";
        assertThat(sweep(OPERATIONS).err())
                .isEqualTo(place
                        + "5: operations.0 GET /lines/{size}: expected a path that begins"
                        + " with / and is percent-encoded\n");
        assertThat(sweep(SCENARIO, "--param", "pause=1ms").err())
                .startsWith(place + "6: scenarios.0: ")
                .contains("{size}: expected one of")
                .hasLineCount(1);
        assertThat(sweep(OPERATIONS.replace("{size}", "${size}"), "--param", "size=1")
                        .err())
                .contains("expected the value in place of ${size}, which nothing fills in")
                .hasLineCount(1);
    }

    @Test
    void whatAStepTakesFromAResponseIsAValueOfTheScenario() throws Exception {
        String plan = SCENARIO.replace("{get: \"/where\"", "{extract: {id: json:/id}, get: \"/where\"");
        assertThat(sweep(plan, "--param", "pause=1ms", "--param", "size=a", "--param", "id=1"))
                .isEqualTo(new Cli(
                        2,
                        "",
                        "--param id: expected another name: the plan's scenarios have a"
                                + " value scenarios.0.steps.2.extract.id\n"));
    }
}
