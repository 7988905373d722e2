package io.phaseload.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.luben.zstd.ZstdInputStream;
import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.live.RequestsFile;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The options of a run that is watched, from the command line to what others receive. */
class OutputsTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server =
            RecordingServer.start(request -> request.method().equals("POST") ? 503 : 200);

    @Test
    void aStreamHasAllRequestsOfTheResult() throws Exception {
        Cli run = run("--stream", "--post", "/");

        assertThat(run.code()).isZero();
        List<JsonNode> lines = run.out().lines().map(Cli::json).toList();
        assertThat(lines.get(0).get("type").asString()).isEqualTo("run");
        assertThat(lines.get(0).get("phases")).hasSize(4);
        JsonNode totals =
                Cli.json(Files.readString(folder.resolve("out/result.json"))).get("totals");
        assertThat(seconds(lines)
                        .mapToLong(second -> second.get("requests").asLong())
                        .sum())
                .isEqualTo(totals.get("requests").asLong());
        assertThat(seconds(lines)
                        .mapToLong(
                                second -> second.get("failures").get("http 503").asLong())
                        .sum())
                .isEqualTo(totals.get("failures").get("http 503").asLong());
        assertThat(seconds(lines)).allSatisfy(second -> assertThat(
                        second.get("operations").get(1).get("name").asString())
                .isEqualTo("POST /"));
        assertThat(run.err()).contains("Total number of requests sent: ").contains("Results: ");
    }

    @Test
    void pageAndScriptsShareAnAddressAndAToken() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef\n");

        Cli run = run("--live", 0, "--control", 0, "--control-token", "@" + token);

        assertThat(run.code()).isZero();
        assertThat(run.err())
                .containsPattern("Live: http://localhost:(\\d+)/TOKEN/\\RControl: http://localhost:\\1/TOKEN/control")
                .doesNotContain("0123456789abcdef");
    }

    @Test
    void aTokenThatIsGuessedOrUselessIsRefused() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "short");

        assertThat(run("--control-token", "@" + token).err().strip())
                .isEqualTo("--control-token: needs --live or --control");
        assertThat(run("--control", 0, "--control-token", "@" + token).err().strip())
                .isEqualTo("--control-token @%s: expected 16 to 200 letters, digits, - and _".formatted(token));
        assertThat(run("--control", 0, "--control-token", "0123456789abcdef")
                        .err()
                        .strip())
                .startsWith("--control-token: expected @FILE or env:NAME");
    }

    private static Stream<JsonNode> seconds(List<JsonNode> lines) {
        return lines.stream().filter(line -> line.get("type").asString().equals("second"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows.csv", "rows.csv.gz", "rows.csv.zst"})
    void aRowIsWrittenForEachRequest(String name) throws Exception {
        Path file = folder.resolve(name);

        Cli run = run("--requests-out", file, "--post", "/");

        assertThat(run.code()).isZero();
        List<List<String>> rows = rows(file);
        assertThat(rows.get(0)).isEqualTo(RequestsFile.COLUMNS);
        List<List<String>> requests = rows.subList(1, rows.size());
        assertThat(requests.stream()
                        .collect(Collectors.groupingBy(row -> row.get(7) + row.get(8), Collectors.counting())))
                .isEqualTo(Map.of(
                        "200",
                        (long) server.received().size() / 2,
                        "503http 503",
                        (long) server.received().size() / 2));
        assertThat(requests).allSatisfy(row -> {
            assertThat(row.get(2)).isIn("GET /", "POST /");
            assertThat(Double.parseDouble(row.get(0)) / 1e3).isCloseTo(System.currentTimeMillis() / 1e3, within(60.0));
            assertThat(Double.parseDouble(row.get(5)))
                    .isBetween(Double.parseDouble(row.get(4)), Double.parseDouble(row.get(6)));
        });
        assertThat(run.err()).doesNotContain("--requests-out");
        JsonNode again = Cli.run("report", file, "--json").json();
        JsonNode result = Cli.json(Files.readString(folder.resolve("out/result.json")));
        assertThat(again.at("/failures/0/cause").asString()).isEqualTo("http 503");
        assertThat(sum(again.get("requests"), "requests"))
                .isEqualTo(result.at("/totals/requests").asLong());
        assertThat(sum(again.get("requests"), "failed"))
                .isEqualTo(result.at("/totals/failed").asLong());
        assertThat(Cli.run("report", file).out()).contains("POST /").contains("http 503");
    }

    private static long sum(JsonNode rows, String column) {
        return rows.valueStream().mapToLong(row -> row.get(column).asLong()).sum();
    }

    /** Its run was killed. */
    @ParameterizedTest
    @ValueSource(strings = {"rows.csv", "rows.csv.gz", "rows.csv.zst"})
    void aFileThatIsCutOffIsReportedAsFarAsItGoes(String name) throws Exception {
        Path file = folder.resolve(name);
        run("--requests-out", file);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 20));

        Cli report = Cli.run("report", file);

        assertThat(report.code()).isZero();
        assertThat(report.out()).contains(name.endsWith("zst") ? "" : "GET /");
        assertThat(report.err()).isEqualTo("report %s: incomplete: it ends within a row\n".formatted(file));
    }

    private static List<List<String>> rows(Path file) throws Exception {
        String name = file.toString();
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = name.endsWith(".gz")
                        ? new GZIPInputStream(raw)
                        : name.endsWith(".zst") ? new ZstdInputStream(raw) : raw) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> List.of(line.split(",", -1)))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "0%, 0"})
    void rowsAreLimited(String limit, int expected) throws Exception {
        Path file = folder.resolve("rows.csv");

        Cli run = run("--requests-out", file, "--requests-limit", limit);

        assertThat(rows(file)).hasSize(1 + expected);
        if (expected > 0) {
            assertThat(run.err())
                    .contains("--requests-out: %d requests are not in it, since its limit is 3"
                            .formatted(server.received().size() - 3));
        }
    }

    @Test
    void aShareOfRowsIsWritten() throws Exception {
        Path file = folder.resolve("rows.csv");

        run("--requests-out", file, "--requests-limit", "1%");

        // Of 40 requests, 0.4 on average.
        assertThat(rows(file)).hasSizeLessThan(20);
    }

    @Test
    void tracesAndHeadersOfResponsesReachFileReportAndPage() throws Exception {
        Path file = folder.resolve("rows.csv");

        Cli run = run(
                "--requests-out",
                file,
                "--trace-requests",
                "100%",
                "--keep-header",
                "content-type",
                "--trace-url",
                "https://traces.example/{trace}?of=shop");

        JsonNode result = Cli.json(Files.readString(folder.resolve("out/result.json")));
        assertThat(result.at("/plan/target/traceRequests").asString()).isEqualTo("100%");
        JsonNode slowest = result.at("/phases/0/operations/0/slowestRequests/0");
        String trace = slowest.at("/trace/traceId").asString();
        assertThat(rows(file)).anySatisfy(row -> assertThat(row.get(11)).isEqualTo(trace));
        assertThat(run.out()).contains("Slowest success: ").containsPattern("(?m)^ *trace: [0-9a-f]{32}$");
        assertThat(Files.readString(folder.resolve("out/report.html")))
                .contains("<a href=\"https://traces.example/" + trace + "?of=shop\">" + trace + "</a>");
        assertThat(Cli.run("report", folder.resolve("out")).out()).containsPattern("(?m)^ *trace: [0-9a-f]{32}$");
    }

    /** It is always full. */
    @Test
    void aFullDiskIsReportedAndTheRunGoesOn() throws Exception {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();

        Cli run = run("--requests-out", full);

        assertThat(run.code()).isZero();
        assertThat(run.err()).containsPattern("--requests-out: [0-9,]+ requests are not in it: ");
    }

    @Test
    void aReceiverThatIsNotThereIsReportedAndTheRunGoesOn() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }

        Cli run = run("--otlp", "http://127.0.0.1:" + closed);

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("--otlp: 1 of 1 exports failed, the last one, too: no connection\n");
    }

    @Test
    void theLinkToTheLivePageIsPrinted() {
        Cli run = run("--live", "0");

        assertThat(run.code()).isZero();
        assertThat(run.err()).containsPattern("(?m)^Live: http://localhost:[1-9][0-9]*/[0-9a-f]{32}/$");
    }

    @Test
    void theAddressOfThePageIsPrinted() {
        Cli run = run("--prometheus", "0");

        assertThat(run.code()).isZero();
        assertThat(run.err()).containsPattern("(?m)^Metrics: http://localhost:[1-9][0-9]*/metrics$");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--otlp collector:4318 | --otlp collector:4318: expected a URL such as http://localhost:4318",
                "--otlp-header a:b | --otlp-header: needs --otlp URL",
                "--otlp http://localhost --otlp-header secret | --otlp-header: expected 'Name: value'",
                "--otlp http://localhost --otlp-header env:NO_SUCH | --otlp-header env:NO_SUCH: expected a variable that"
                        + " is set",
                "--prometheus x | --prometheus x: expected a port, or an address of this machine and a port, such as"
                        + " 9464 or 0.0.0.0:9464",
                "--live x | --live x: expected a port, or an address of this machine and a port, such as 9464 or"
                        + " 0.0.0.0:9464",
                "--prometheus 99999 | --prometheus 99999: expected a port, or an address of this machine and a port,"
                        + " such as 9464 or 0.0.0.0:9464",
                "--requests-limit 5 | --requests-limit: needs --requests-out FILE",
                "--requests-out no/such.csv | --requests-out no/such.csv: expected a file in a folder that exists",
                "--requests-out x.csv --requests-limit -1 | --requests-limit -1: expected a count such as 100k, or a share such as 1%",
                "--trace-requests 0% | --trace-requests 0%: expected more than 0%",
                "--trace-requests x | --trace-requests x: expected a percentage from 0% to 100%, such as 5% or 0.1%",
                "--trace-url https://x/{trace} | --trace-url https://x/{trace} needs --trace-requests",
                "--trace-requests 1% --trace-url https://x/ | --trace-url https://x/: expected an http:// or https:// address with {trace}",
                "--keep-header a:b | --keep-header a:b: expected the name of a header",
                "--stream --json | --stream cannot be combined with --json"
            })
    void aWrongValueStartsNothing(String options, String message) {
        Cli run = run((Object[]) options.split(" "));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).isEqualTo(message + "\n");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aFileOfRequestsIsKeptIfTheRunDoesNotBegin() throws Exception {
        Path file = Files.writeString(folder.resolve("rows.csv"), "of an earlier run");
        Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("x"), "not empty");

        assertThat(run("--requests-out", file).code()).isEqualTo(ExitCode.USAGE);
        assertThat(file).hasContent("of an earlier run");
    }

    @Test
    void aPortThatIsTakenStartsNothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Cli run = run("--prometheus", taken.getLocalPort());

            assertThat(run.code()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err())
                    .startsWith("--prometheus localhost:%d: ".formatted(taken.getLocalPort()))
                    .hasLineCount(1);
            assertThat(folder.resolve("out")).doesNotExist();
        }
    }

    private Cli run(Object... options) {
        List<Object> line = new ArrayList<>(List.of("run", "--url", server.url(), "--get", "/"));
        line.addAll(List.of("--threads", 2, "--iterations", 5, "--quiet", "--out", folder.resolve("out")));
        line.addAll(List.of(options));
        return Cli.run(line.toArray());
    }
}
