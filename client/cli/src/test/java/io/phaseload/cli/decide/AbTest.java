package io.phaseload.cli.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.Usage;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparisons against a real server. */
@Tag("slow")
class AbTest {

    @TempDir
    private Path folder;

    private Cli ab(Object... more) {
        List<Object> line = new ArrayList<>(List.of("ab", "--out", folder.resolve("out"), "--warmup", "0s"));
        line.addAll(List.of(more));
        return Cli.run(line.toArray());
    }

    @Test
    void aSlowSideIsARegression() throws Exception {
        try (TargetServer server =
                TargetServer.start(ServerSettings.builder().port(0).build())) {
            Cli run = ab(
                    server.url() + "delay?ms=2",
                    server.url() + "delay?ms=20",
                    "-c",
                    2,
                    "-n",
                    10,
                    "--margin",
                    "50%",
                    "--figures",
                    "p50",
                    "--json",
                    "--junit",
                    folder.resolve("junit.xml"));

            assertThat(run.code()).as(run.err()).isEqualTo(5);
            Path out = folder.resolve("out");
            assertThat(run.err())
                    .contains("Block 1, ", "Block 3, ", "B is worse by more than the margin: p50 +", "Results: " + out);
            assertThat(run.json().at("/outcome").asString()).isEqualTo("regression");
            int blocks = run.json().at("/blocks").asInt();
            assertThat(run.json().at("/runs")).hasSize(6 * blocks);
            assertThat(server.requestsServed()).isEqualTo(6L * blocks * 20);
            assertThat(Files.readString(out.resolve("ab.json"))).isEqualTo(run.out());
            assertThat(Files.readString(out.resolve("report.txt"))).contains("B: " + server.url() + "delay?ms=20");
            assertThat(Files.readString(out.resolve("summary.md"))).contains("**B is worse", "| p50 ms |");
            assertThat(Files.readString(out.resolve("report.html"))).contains("chart-ab-runs", "block-01/1-");
            assertThat(Files.readString(folder.resolve("junit.xml"))).contains("type=\"regression\"");
            try (Stream<Path> runs = Files.list(out.resolve("block-01"))) {
                assertThat(runs).hasSize(6).allSatisfy(of -> assertThat(of.resolve("result.json"))
                        .exists());
            }
        }
    }

    @Test
    void aSideWithoutAnySuccessEndsIt() {
        Cli run = ab("http://127.0.0.1:1/", "http://127.0.0.1:1/x", "-c", 1, "-n", 1, "--quiet");
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()).contains("No conclusion: no request succeeded in the last run.");
        assertThat(folder.resolve("out/block-01")).isDirectoryNotContaining(of -> of.endsWith("2-b"));
    }

    static Stream<Arguments> wrongLines() {
        String a = "http://127.0.0.1:1/";
        return Stream.of(
                Usage.wrong("ab: expected two addresses or two plans, or --a-start and --b-start", a),
                Usage.wrong("--a-start needs --b-start", a, a, "--a-start", "x"),
                Usage.wrong("--b-stop needs --a-start and --b-start", a, a, "--b-stop", "x"),
                Usage.wrong(
                        "--a-start and --b-start need --url, the address at which they can be reached",
                        "--a-start",
                        "x",
                        "--b-start",
                        "y"),
                Usage.wrong("--url cannot be combined with " + a, a, a, "--url", a),
                Usage.wrong(
                        "--figures p50,p51: expected some of p50,p95,p99,throughput,failed,server-cpu,client-cpu",
                        a,
                        a,
                        "--figures",
                        "p50,p51"),
                Usage.wrong(
                        "--warmup 3000 ms: expected 0s, or 40 s or more, in which a steady state can be seen",
                        a,
                        a,
                        "--warmup",
                        "3s"),
                Usage.wrong(
                        "--budget 60 s: expected at least 170 s, the length of 3 blocks of six runs after warm-up",
                        a,
                        a,
                        "--budget",
                        "1m"));
    }

    @ParameterizedTest
    @MethodSource("wrongLines")
    void wrongLinesAreRefused(String message, List<String> line) {
        List<String> whole = new ArrayList<>(List.of("ab"));
        whole.addAll(line);
        Path out = folder.resolve("out");
        whole.addAll(List.of("--out", out.toString()));
        assertThat(Cli.run(whole.toArray())).isEqualTo(Usage.usage(message));
        assertThat(out).doesNotExist();
    }
}
