package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cluster.network.ClusterKeys;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Agents and their coordinator, each the packaged jar in a process of its own. */
@Tag("slow")
class AgentsIT {

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    /** A secret that Phaseload makes. */
    private static final Predicate<String> SECRET =
            Pattern.compile("phaseload-[A-Za-z0-9_-]{43}(?![A-Za-z0-9_.-])").asPredicate();

    @TempDir
    private Path folder;

    /** Users in turns send one request of an iteration, or two; each row of their data is used once. */
    @Test
    void agentsOnThisMachineAreOneCommand() throws Exception {
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                data: {f: {csv: rows.csv, whenExhausted: stop}}
                scenarios:
                  - {name: one, steps: [{get: "/{f.id}"}]}
                  - {name: two, steps: [{get: "/{f.id}"}, {get: /more}]}
                """);
        List<String> rows = IntStream.range(0, 120).mapToObj(Integer::toString).toList();
        Files.write(
                folder.resolve("rows.csv"),
                Stream.concat(Stream.of("id"), rows.stream()).toList());
        try (JarProcess run = JarProcess.start(
                folder,
                "run --agents local:2 --plan plan.yaml --url "
                        + server.url()
                        + " -c 4 -n 20 --phases warmup=0.5,peak=1 -o out")) {
            run.awaitLine("WARMUP phase: ");
            assertThat(commandLines())
                    .anyMatch(line -> line.contains("local-1"))
                    .noneMatch(SECRET);
            Cli ended = run.end();
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(ended.outLines())
                    .contains("Agents:")
                    .anyMatch(line -> line.startsWith("  local-1 "))
                    .anyMatch(line -> line.startsWith("  local-2 "));
        }

        JsonNode result = Cli.json(Files.readString(folder.resolve("out/result.json")));
        // Every second user sends both: one of two in the warm-up, and two of four.
        assertThat(result.at("/totals/requests").asInt()).isEqualTo(120 + 3 * 20);
        assertThat(result.at("/totals/succeeded").asInt()).isEqualTo(120 + 3 * 20);
        assertThat(server.received().stream().map(RecordingServer.Received::target))
                .filteredOn(target -> !target.equals("/more"))
                .containsExactlyInAnyOrderElementsOf(
                        rows.stream().map("/"::concat).toList());
        JsonNode agents = result.path("agents");
        assertThat(agents.path("members").valueStream().map(of -> of.path("part")
                        .asString()))
                .containsExactlyInAnyOrder("1/2", "2/2");
        assertThat(agents.path("starts")).hasSize(2);
        assertThat(Cli.run("report", folder.resolve("out"), "--json").json().get("agents"))
                .isEqualTo(agents);
        // Their own folders make the same result.
        List<String> own = agents.path("members")
                .valueStream()
                .map(of -> of.path("folder").asString())
                .toList();
        JsonNode merged = Cli.run("merge", own.get(0), own.get(1), "-o", folder.resolve("merged"), "--json")
                .json();
        assertThat(merged.at("/totals/response")).isEqualTo(result.at("/totals/response"));
        assertThat(merged.at("/totals/requests")).isEqualTo(result.at("/totals/requests"));
    }

    @Test
    void clocksAreJsonOnStandardOutput() throws Exception {
        String line = "clock --agents local:1 --duration 3s --every 100ms --json -o out";
        try (JarProcess clock = JarProcess.start(folder, line)) {
            Cli ended = clock.end();
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(ended.json()).isEqualTo(Cli.json(Files.readString(folder.resolve("out/clock.json"))));
            assertThat(ended.json().at("/clocks/0/bound_ms").isNumber()).isTrue();
            assertThat(ended.json().path("clock").size()).isPositive();
            assertThat(ended.err()).contains("Clocks: out");
        }
    }

    @Test
    void anAgentWaitsForItsCoordinatorAndAKilledOneIsNamed() throws Exception {
        // Each process would take seconds for a secret that a person made up.
        Files.writeString(folder.resolve("secret"), ClusterKeys.newSecret() + "\n");
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Path own = Files.createDirectory(folder.resolve("own"));
        String access = " --cluster-secret-file " + folder.resolve("secret");
        int port = freePort();
        String agent = "agent --coordinator 127.0.0.1:" + port + access + " --once --name ";
        try (JarProcess one = JarProcess.start(first, agent + "one");
                JarProcess two = JarProcess.start(second, agent + "two")) {
            one.awaitLine("Agent one waits for a coordinator");
            try (JarProcess run = JarProcess.start(
                    own,
                    "run --agents 2 --listen 127.0.0.1:"
                            + port
                            + access
                            + " --url "
                            + server.url()
                            + " -c 4 --duration 4s --think 10ms --phases peak=1 -o out")) {
                run.awaitLine("PEAK phase: All threads(4) running....");
                two.signal("KILL");
                // Its part of the load is missing, so that the figures aren't valid.
                Cli ended = run.end();
                assertThat(ended.code()).as(ended.err()).isEqualTo(4);
                assertThat(ended.err()).contains("agent two is lost: it isn't running any more");
            }
            one.awaitLine("Results: ");
            assertThat(one.end().code()).isZero();
        }
        JsonNode result = Cli.json(Files.readString(own.resolve("out/result.json")));
        assertThat(result.path("findings").valueStream().map(of -> of.path("id").asString()))
                .contains("agent-lost");
    }

    /** As ps(1) shows them to any user. */
    private static List<String> commandLines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    lines.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .replace('\0', ' '));
                } catch (IOException ended) {
                    // Meanwhile.
                }
            }
        }
        return lines;
    }

    /** The agent's results are whole, but its coordinator can't have them. */
    @Test
    void anAgentWhoseCoordinatorIsKilledSaysSo() throws Exception {
        Files.writeString(folder.resolve("secret"), "a secret of the tests\n");
        Path first = Files.createDirectory(folder.resolve("first"));
        Path own = Files.createDirectory(folder.resolve("own"));
        String access = " --cluster-secret-file " + folder.resolve("secret");
        int port = freePort();
        try (JarProcess agent = JarProcess.start(
                        first, "agent --coordinator 127.0.0.1:" + port + access + " --once --name one");
                JarProcess run = JarProcess.start(
                        own,
                        "run --agents 1 --listen 127.0.0.1:"
                                + port
                                + access
                                + " --url "
                                + server.url()
                                + " -c 2 --duration 20s --think 10ms --phases peak=1 -o out")) {
            run.awaitLine("PEAK phase: All threads(2) running....");
            run.signal("KILL");

            agent.awaitLine("Results: ");
            Cli ended = agent.end();
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.err()).containsOnlyOnce("Agent one lost its coordinator during the run");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
