package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The target's own figures beside the client's. */
@Tag("slow")
class ServerMetricsTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @Test
    void theTomcatTargetTellsOfItself() throws Exception {
        JsonNode result = run("/metrics.json");

        JsonNode peak = result.at("/phases/0/server");
        // Where the machine is busy with other things, an answer may come too late.
        assertThat(peak.get("samples").asInt()).isBetween(1, 3);
        assertThat(peak.get("samples").asInt() + peak.get("gaps").asInt()).isBetween(2, 3);
        assertThat(peak.at("/figures/cpuPercent/max").asDouble()).isBetween(0.1, 110.0);
        assertThat(peak.at("/figures/busyThreads/mean").asDouble()).isBetween(1.0, 500.0);
        assertThat(peak.at("/figures/inFlight/max").asDouble()).isBetween(0.0, 4.0);
        assertThat(peak.at("/figures/heapMiB/mean").asDouble()).isPositive();
        assertThat(peak.at("/figures/maxThreads/mean").asDouble()).isEqualTo(500);
        assertThat(peak.at("/figures/queuedRequests/mean").asDouble()).isBetween(0.0, 4.0);
        assertThat(peak.at("/figures/gcMsPerSecond/mean").isNumber()).isTrue();
    }

    /** Of one target, by both of its pages. */
    @Test
    void severalServersAreAskedByTheirNames() throws Exception {
        Path out = folder.resolve("out");

        Cli run = Cli.run(
                "--threads",
                1,
                "--phases",
                "peak=1 for 1500ms",
                "--think",
                "5ms",
                "--server-metrics",
                "web=/metrics.json",
                "--server-metrics",
                "again=/metrics",
                "--out",
                out,
                "--quiet");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).containsPattern("from web \\(http:.*, again \\(http:");
        JsonNode result = Cli.json(Files.readString(out.resolve("result.json")));
        assertThat(result.at("/plan/serverMetrics/url/again").asString()).isEqualTo("/metrics");
        JsonNode use = result.at("/phases/0/server");
        // Where the machine is busy with other things, an answer may come too late.
        if (use.get("gaps").asInt() == 0) {
            assertThat(use.at("/figures").propertyNames())
                    .contains("web.heapMiB", "again.heapMiB", "again.requestsPerSecond")
                    .allMatch(name -> name.startsWith("web.") || name.startsWith("again."));
        }
        assertThat(Cli.run("report", out, "--json").json().at("/phases/0/server"))
                .isEqualTo(use);
    }

    @Test
    void prometheusMetricsAreChosenByName() throws Exception {
        JsonNode result = run(
                "/metrics",
                "--server-metric",
                "cores=rate(process_cpu_time_ns_total)",
                "--server-metric",
                "threads=tomcat_threads_config_max_threads",
                "--server-metric",
                "heap=jvm_memory_used_bytes{area=\"heap\"}");

        JsonNode figures = result.at("/phases/0/server/figures");
        assertThat(figures.at("/threads/mean").asDouble()).isEqualTo(500);
        assertThat(figures.at("/cores/max").asDouble()).isBetween(1e6, 1e12);
        assertThat(figures.at("/heap/max").asDouble()).isGreaterThan(1 << 20);
        assertThat(result.at("/plan/serverMetrics/metrics/cores").asString())
                .isEqualTo("rate(process_cpu_time_ns_total)");
    }

    /** Runs against the Tomcat target, and reports and repeats the run from its folder. */
    private JsonNode run(String address, String... metrics) throws Exception {
        Path out = folder.resolve("out");
        List<Object> line = new ArrayList<>(List.of("--threads", 2, "--phases", "peak=1 for 2500ms", "--think", "5ms"));
        Collections.addAll(line, "--server-metrics", address, "--out", out, "--quiet");
        Collections.addAll(line, (Object[]) metrics);

        Cli run = Cli.run(line.toArray());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern("\nServer's own figures, mean and max, read once a second from"
                        + " http://127\\.0\\.0\\.1:\\d+"
                        + address
                        + ":\nphase  samples  ");
        JsonNode result = Cli.json(Files.readString(out.resolve("result.json")));
        // Being asked isn't load.
        assertThat(result.at("/target/requests")).isEqualTo(result.at("/totals/requests"));

        Cli report = Cli.run("report", out, "--json");
        assertThat(report.json().at("/phases/0/server")).isEqualTo(result.at("/phases/0/server"));
        return result;
    }

    @Test
    void aRepeatedRunAsksAgain() throws Exception {
        Path first = folder.resolve("first");
        Cli.run("-c", 1, "-n", 1, "--server-metrics", "/metrics.json", "-o", first);
        JsonNode asked = Cli.json(Files.readString(first.resolve("result.json")));
        assertThat(asked.at("/plan/serverMetrics/url").asString()).isEqualTo("/metrics.json");

        Cli again = Cli.run("--plan", first, "--out", folder.resolve("again"), "--json");
        assertThat(again.json().at("/plan/serverMetrics")).isEqualTo(asked.at("/plan/serverMetrics"));

        Cli other = Cli.run(
                "--plan",
                first,
                "--server-metrics",
                "/metrics",
                "--server-metric",
                "up=system_cpu_count",
                "--out",
                folder.resolve("other"),
                "--json");
        assertThat(other.json().at("/plan/serverMetrics/metrics/up").asString()).isEqualTo("system_cpu_count");
    }

    @Test
    void anAddressWithoutMetricsIsRefusedBeforeTheRun() {
        Path out = folder.resolve("out");
        String base = server.url().toString();

        Cli noJson = Cli.run("--url", base, "--server-metrics", base + "x", "--out", out);

        assertThat(noJson.code()).isEqualTo(ExitCode.USAGE);
        assertThat(noJson.err())
                .isEqualTo("--server-metrics %sx: expected /metrics.json of Phaseload's own target,".formatted(base)
                        + " a page in Prometheus's format with metrics that are known,"
                        + " or --server-metric: line 1 isn't in Prometheus text format: ok\n");
        assertThat(out).doesNotExist();
        assertThat(server.received()).allMatch(request -> request.toString().contains("/x"));
    }

    @Test
    void aMetricThatTheTomcatTargetLacksIsRefusedBeforeTheRun() {
        Path out = folder.resolve("out");

        Cli none = Cli.run("--server-metrics", "/metrics", "--server-metric", "busy=bussy{a=\"b\"}", "--out", out);

        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.out()).isEmpty();
        assertThat(none.err())
                .isEqualTo("--server-metrics /metrics: expected a page in Prometheus's format with all"
                        + " that is chosen: it has no metric bussy{a=\"b\"}\n");
        assertThat(out).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metrics | | --server-metrics metrics: expected http://host[:port]/path or https://…",
                "http:// | | --server-metrics http://: expected http://host[:port]/path, https://…,"
                        + " or a path that begins with /",
                "http://u:secret@h/ | | --server-metrics http://…@h/: expected no user information;"
                        + " send an Authorization header",
                " | a=b | --server-metric a=b needs --server-metrics",
                "A=/m | | --server-metrics A=/m: expected a lower-case letter, then lower-case letters,"
                        + " digits and '_'",
                "a=metrics | | --server-metrics a=metrics: expected http://host[:port]/path or" + " https://…",
                "/m | ab | --server-metric ab: expected name=metric",
                "/m | A=b | --server-metric A=b: expected a lower-case letter, then lower-case letters, digits and '_'",
                "/m | a=b c | --server-metric a=b c: expected name or name{label=\"value\",…}",
                "/m | a=rate(b | --server-metric a=rate(b: expected name or" + " name{label=\"value\",…}"
            })
    void mistakesAreNamed(String address, String metric, String message) {
        List<String> line =
                new ArrayList<>(List.of("--out", folder.resolve("out").toString()));
        if (address != null) {
            Collections.addAll(line, "--server-metrics", address);
        }
        if (metric != null) {
            Collections.addAll(line, "--server-metric", metric);
        }

        Cli wrong = Cli.run(line.toArray());

        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).isEqualTo(message + "\n");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void eachOfSeveralServersHasAName() {
        assertThat(Cli.run("--server-metrics", "/m", "--server-metrics", "a=/n").err())
                .isEqualTo("--server-metrics /m: expected a name for each of several servers:" + " name=address\n");
        assertThat(Cli.run("--server-metrics", "/m", "--server-metrics", "/n").err())
                .isEqualTo("--server-metrics /n: expected a name for each of several servers:" + " name=address\n");
        assertThat(Cli.run("--server-metrics", "a=/m", "--server-metrics", "a=/n")
                        .err())
                .isEqualTo("--server-metrics a=/n: expected a name other than a\n");
    }

    @Test
    void aNameIsGivenOnce() {
        Cli twice = Cli.run("--server-metrics", "/m", "--server-metric", "a=b", "--server-metric", "a=c");
        assertThat(twice.code()).isEqualTo(ExitCode.USAGE);
        assertThat(twice.err()).isEqualTo("--server-metric a=c: expected a name other than a\n");
    }
}
