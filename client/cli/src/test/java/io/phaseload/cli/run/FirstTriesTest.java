package io.phaseload.cli.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines as a new user types them, and plans that are tried before they are run. */
class FirstTriesTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static final String SHOP =
            """
            target: %s
            threads: 20
            scenarios:
              - name: browse
                weight: 9
                steps: [{method: GET, path: /a}, {method: GET, path: /b}]
              - name: buy
                steps: [{method: POST, path: /c}]
            phases: warmup=0.5,peak=1
            iterations: 7
            thresholds:
              - "warmup: p99 < 10s"
              - "peak/browse: GET /a: p99 < 10s"
              - "peak/buy: POST /c: failures < 1"
              - "rps > 500"
              - "peak: requests >= 1000"
            """;

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private final AtomicInteger connections = new AtomicInteger();

    private Cli run(Object... options) {
        List<Object> line = new ArrayList<>(List.of("run", "--out", folder.resolve("out")));
        line.addAll(List.of(options));
        return Cli.run(line.toArray());
    }

    private Path plan(String text) throws Exception {
        Path plans = Files.createDirectories(folder.resolve("plans"));
        return Files.writeString(plans.resolve("plan.yaml"), text);
    }

    private List<String> seen() {
        return server.received().stream().map(RecordingServer.Received::line).toList();
    }

    @Test
    void aPlanIsRunOnceWithEachScenario() throws Exception {
        Cli run = run("--plan", plan(SHOP.formatted(server.url())), "--once");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(seen()).containsExactlyInAnyOrder("GET /a", "GET /b", "POST /c");
        assertThat(run.err())
                .startsWith("threshold 'warmup: p99 < 10s': skipped in this part of the plan\n")
                .contains("threshold 'peak/browse: GET /a: p99 < 10s': skipped")
                .contains("threshold 'rps > 500': skipped")
                .contains("threshold 'peak: requests >= 1000': skipped")
                .contains("up to 3 requests: 1 iteration × 2 users in one phase")
                .doesNotContain("threshold 'peak/buy");
    }

    @Test
    void oneScenarioIsRunAlone() throws Exception {
        Cli run = run("--plan", plan(SHOP.formatted(server.url())), "--once", "--scenario", "buy");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(seen()).containsExactly("POST /c");
        assertThat(run.err())
                .contains("threshold 'warmup: p99 < 10s': skipped")
                .contains("threshold 'peak/browse: GET /a: p99 < 10s': skipped")
                .doesNotContain("POST /c");
    }

    @Test
    void aScenarioThatIsNotThereIsNamed() throws Exception {
        Path plan = plan(SHOP.formatted(server.url()));
        assertThat(run("--plan", plan, "--scenario", "sell").err().strip())
                .isEqualTo("--scenario sell: expected browse or buy");
        assertThat(run("--url", server.url(), "--scenario", "buy").err().strip())
                .isEqualTo("--scenario buy needs a plan with scenarios");
        assertThat(seen()).isEmpty();
    }

    @Test
    void filesAreRelativeToThePlan() throws Exception {
        Path plan = plan(
                """
                        target: %s
                        data: {users: {csv: users.csv}}
                        scenarios:
                          - name: s
                            steps:
                              - method: POST
                                path: /{users.name}
                                bodyFile: body.txt
                        """
                        .formatted(server.url()));
        Files.writeString(plan.resolveSibling("body.txt"), "text");
        assertThat(run("--plan", plan, "--once").err().strip())
                .isEqualTo("--plan %s: line 2: data.users.csv users.csv: expected a file that can be read: %s"
                        .formatted(plan, plan.resolveSibling("users.csv")));

        Files.writeString(plan.resolveSibling("users.csv"), "name\nann\n");
        Cli run = run("--plan", plan, "--once");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(seen()).containsExactly("POST /ann");
        assertThat(server.received().get(0).text()).isEqualTo("text");

        // A result has the paths that its run used.
        Cli again = Cli.run("run", "--plan", folder.resolve("out"), "--out", folder.resolve("again"));
        assertThat(again.code()).as(again.err()).isZero();
    }

    @Test
    void aPrintedPlanRunsFromAnywhere() throws Exception {
        Path plan = plan(
                """
                        target: %s
                        data: {users: {csv: users.csv}}
                        scenarios:
                          - {name: s, steps: [{method: GET, path: "/{users.name}"}]}
                        """
                        .formatted(server.url()));
        Files.writeString(plan.resolveSibling("users.csv"), "name\nann\n");
        Path relative = Path.of("").toAbsolutePath().relativize(plan);
        Cli printed = Cli.run("plan", "--plan", relative);
        assertThat(printed.code()).as(printed.err()).isZero();

        Path copies = Files.createDirectories(folder.resolve("copies"));
        Cli run = run("--plan", Files.writeString(copies.resolve("copy.yaml"), printed.out()), "--once");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(seen()).containsExactly("GET /ann");

        assertThat(Cli.run("plan", "--url", server.url(), "--unix-socket", "app.sock")
                        .out())
                .contains(Path.of("app.sock").toAbsolutePath().toString());
    }

    @Test
    void theTableNamesThePathThatWasSent() {
        Cli run = run("--url", server.url() + "a/b?x=1", "--once");
        assertThat(seen()).containsExactly("GET /a/b?x=1");
        assertThat(run.outLines()).anyMatch(line -> line.startsWith("peak   GET /a/b?x=1  "));
    }

    @Test
    void soDoAllTablesForPeople() throws Exception {
        Cli run = run("--url", server.url() + "a", "--get", "/b", "--get", "/", "--expect", "status=500", "--once");

        assertThat(seen()).containsExactly("GET /a/b", "GET /a");
        assertThat(run.outLines())
                .anyMatch(line -> line.startsWith("peak   GET /a/b  "))
                .anyMatch(line -> line.matches(" +check status=500 +peak +GET /a .*"));
        assertThat(Files.readString(folder.resolve("out").resolve("report.html")))
                .contains("<th scope=\"row\"><bdi>GET /a/b</bdi>", "<th scope=\"row\"><bdi>GET /a</bdi>");
    }

    @Test
    void aFolderIsNoPlan() {
        assertThat(run("--plan", folder).err().strip())
                .isEqualTo("--plan %s: is a folder without a result.json; expected a plan's file".formatted(folder));
    }

    @Test
    void aHeadersNameHasNoBlanks() {
        assertThat(run("--url", server.url(), "-H", "X A: 1").err().strip())
                .isEqualTo("-H X: expected a name without blanks before the colon");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --once", "sweep --warmup 0s -n 1 -c 1 --trials 2"})
    void theWrongSchemeIsNamed(String line) throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 0, LOOPBACK)) {
            assertThat(against("https", plain, line)).containsOnlyOnce("this port doesn't speak TLS: use http://");
        }
        // Without a certificate, each handshake ends with an alert.
        try (ServerSocket tls = SSLContext.getDefault().getServerSocketFactory().createServerSocket(0, 0, LOOPBACK)) {
            assertThat(against("http", tls, line)).containsOnlyOnce("this port speaks TLS: use https://");
        }
    }

    /** A server of plain HTTP may wait for the rest of a handshake, so the probe would hold up the run's end. */
    @Test
    void aPortThatAnsweredIsNotProbedForTls() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 0, LOOPBACK)) {
            assertThat(against("http", busy, "run --once", "503 Service Unavailable"))
                    .doesNotContain("TLS");
        }
        assertThat(connections).hasValue(1);
    }

    private String against(String scheme, ServerSocket server, String line) throws Exception {
        return against(scheme, server, line, "400 Bad Request");
    }

    private String against(String scheme, ServerSocket server, String line, String status) throws Exception {
        Thread answers = new Thread(() -> answer(server, status));
        answers.start();
        List<Object> words = new ArrayList<>(List.of((Object[]) line.split(" ")));
        words.addAll(List.of("--url", scheme + "://127.0.0.1:" + server.getLocalPort() + "/"));
        words.addAll(List.of("--out", folder.resolve(scheme)));
        Cli run = Cli.run(words.toArray());
        server.close();
        answers.join();
        return run.err();
    }

    private void answer(ServerSocket server, String status) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                connections.incrementAndGet();
                socket.getInputStream().read();
                socket.getOutputStream().write(("HTTP/1.1 " + status + "\r\n\r\n").getBytes(US_ASCII));
            } catch (IOException e) {
                // The next one.
            }
        }
    }
}
