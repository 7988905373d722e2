package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What becomes of a run on a machine that hasn't enough of something for it. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs Linux's ulimit and namespaces")
class ClientLimitsIT {

    private static final List<String> IN_OWN_NETWORK = List.of("unshare", "-rn");
    private static final List<String> IN_OWN_MOUNTS = List.of("unshare", "-rm");

    @TempDir
    private Path folder;

    @Test
    void fileDescriptorsRunOut() throws Exception {
        String line = "run -c 1000 -n 3 --phases peak=1 --get / --timeout 30s --connect-timeout 30s";
        try (RecordingServer server = RecordingServer.start();
                JarProcess process = JarProcess.startUnder(
                        folder, List.of(), "ulimit -n 256 && exec \"$@\"", line + " --out out --url " + server.url())) {
            Cli run = process.end();

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err()).isEmpty();
            JsonNode result = Accounting.balanced(folder.resolve("out"));
            JsonNode totals = result.get("totals");
            assertNotSent(result, 3_000, "client: too many open files");
            assertIsSaid(result, "client: too many open files");
            assertThat(totals.get("succeeded").asLong())
                    .isPositive()
                    .isEqualTo(server.received().size());
        }
    }

    /** A network of its own with 64 ports, of which the target listens on one. */
    @ParameterizedTest
    @ValueSource(strings = {"Connection:keep-alive", "Connection:close"})
    void localPortsRunOut(String header) throws Exception {
        String script =
                "ip link set lo up && echo 40000 40063 > /proc/sys/net/ipv4/ip_local_port_range" + " && exec \"$@\"";
        JarProcess.assumePossible(folder, IN_OWN_NETWORK, script);
        String line = "run -c 200 -n 5 --phases peak=1 --out out -H " + header;
        try (JarProcess process = JarProcess.startUnder(folder, IN_OWN_NETWORK, script, line)) {
            Cli run = process.end();

            assertThat(run.code()).as(run.err()).isZero();
            JsonNode result = Accounting.balanced(folder.resolve("out"));
            JsonNode totals = result.get("totals");
            assertNotSent(result, 2_000, "client: no free local port");
            assertIsSaid(result, "client: no free local port");
            assertThat(totals.get("succeeded").asLong())
                    .isPositive()
                    .isEqualTo(result.at("/target/requests").asLong());
        }
    }

    /** A request for which there was no connection wasn't sent, and none of the others failed. */
    private static void assertNotSent(JsonNode result, long asked, String cause) {
        JsonNode totals = result.get("totals");
        JsonNode peak = result.at("/phases/0");
        Map<String, Long> notSent = Accounting.byName(peak.get("notSent"));
        assertThat(totals.get("failed").asLong()).isZero();
        assertThat(notSent).containsOnlyKeys(cause);
        assertThat(totals.get("requests").asLong()).isEqualTo(asked - notSent.get(cause));
        assertThat(peak.get("asked").asLong()).isEqualTo(asked);
    }

    /** A run that its own machine held back isn't valid. */
    private static void assertIsSaid(JsonNode result, String cause) {
        assertThat(result.at("/verdict/status").asString()).isEqualTo("SUSPECT");
        assertThat(result.at("/verdict/reasons").valueStream().map(JsonNode::asString))
                .anyMatch(reason -> reason.contains(" requests failed at the client itself (" + cause + ")."));
    }

    private static String onDisk(String options, String before) {
        return "mkdir disk && mount -t tmpfs -o "
                + options
                + " none disk && "
                + before
                + " \"$@\"; code=$?; cp -r disk copy; exit $code";
    }

    private Cli runOn(String script, RecordingServer server, String options) throws Exception {
        JarProcess.assumePossible(Files.createTempDirectory(folder, "try"), IN_OWN_MOUNTS, script);
        String line = "run --get / --out disk/out --json --quiet --url " + server.url() + options;
        try (JarProcess process = JarProcess.startUnder(folder, IN_OWN_MOUNTS, script, line)) {
            return process.end();
        }
    }

    private static String phases(int number) {
        return IntStream.range(0, number).mapToObj(i -> "p" + i + "=1").collect(Collectors.joining(","));
    }

    /** The result of a hundred phases is longer than the disk, and so are their intervals. */
    @Test
    void aDiskThatRunsFullCostsTheFilesAndNotTheResult() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = runOn(onDisk("size=64k", ""), server, " -c 2 -n 1 --phases " + phases(100));

            assertThat(run.code()).isEqualTo(1);
            String full = "disk/out: No space left on device";
            assertThat(run.err().lines())
                    .contains("Total number of requests sent: 200")
                    .endsWith(
                            "The results couldn't be written to " + full,
                            "Not all intervals could be written to " + full);
            assertThat(Accounting.balanced(run.json()).at("/totals/succeeded").asLong())
                    .isEqualTo(200);
            assertThat(server.received()).hasSize(200);
            // As much as there was place for.
            Path out = folder.resolve("copy/out");
            assertThat(out).isDirectoryNotContaining("glob:**.part");
            JsonNode reported = Accounting.reported(out);
            assertThat(reported.get("interrupted").asBoolean()).isTrue();
            assertThat(reported.at("/totals/requests").asLong()).isBetween(2L, 198L);
        }
    }

    @Test
    void aFullDiskUnderStandardOutputIsReported() throws Exception {
        String script = "exec \"$@\" > /dev/full";
        String line = "run -c 1 -n 1 --json --quiet --out out";
        try (JarProcess process = JarProcess.startUnder(folder, List.of(), script, line)) {
            Cli run = process.end();

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).endsWith("\nphaseload: not all of standard output could be written\n");
            assertThat(Accounting.balanced(folder.resolve("out"))
                            .at("/totals/requests")
                            .asLong())
                    .isEqualTo(8);
        }
    }

    @ParameterizedTest
    @CsvSource({"size=64k, head -c 64k /dev/zero > disk/file;, No space left on device", "ro, '', Read-only file system"
    })
    void aDiskThatCannotBeWrittenToIsNoticedBeforeTheRun(String options, String before, String why) throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = runOn(onDisk(options, before), server, " -c 2 -n 1");

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .startsWith("--out disk/out: expected a folder that can be written to: ")
                    .containsIgnoringCase(why)
                    .hasLineCount(1);
            assertThat(server.received()).isEmpty();
            Path out = folder.resolve("copy/out");
            assertThat(!Files.exists(out) || out.toFile().list().length == 0).isTrue();
        }
    }
}
