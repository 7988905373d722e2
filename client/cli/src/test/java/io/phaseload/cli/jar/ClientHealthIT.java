package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The verdict sees what happens to the client: no figures of its own making are VALID. */
@Tag("alone")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no signals")
class ClientHealthIT {

    private static final String THINKING = "-c 10 --think 20ms";
    private static final String CLOSED = "-c 4";
    private static final String OPEN = "-c 10 --rate 200/s";
    private static final String EVENTS = "-c 10 --rate 200/s --engine events";

    @TempDir
    private Path folder;

    private static String line(String mode, String duration, RecordingServer server) {
        return "run --get / --phases peak=1 --duration %s %s --out out --url %s"
                .formatted(duration, mode, server.url());
    }

    private JsonNode result() throws IOException {
        return Accounting.balanced(folder.resolve("out"));
    }

    private static void assertSuspect(JsonNode result) {
        assertThat(result.at("/verdict/status").asString())
                .as(result.at("/phases/0/client").toString())
                .isEqualTo("SUSPECT");
    }

    @ParameterizedTest
    @ValueSource(strings = {THINKING, CLOSED, OPEN, EVENTS})
    void aStopIsSeen(String mode) throws Exception {
        try (RecordingServer server = RecordingServer.start();
                JarProcess process = JarProcess.start(folder, line(mode, "2s", server))) {
            server.await(20);
            process.signal("STOP");
            TimeUnit.MILLISECONDS.sleep(700);
            process.signal("CONT");
            assertThat(process.end().code()).isZero();
        }
        JsonNode result = result();
        assertSuspect(result);
        assertThat(Accounting.reasons(result))
                .anyMatch(reason -> reason.startsWith("peak: the client was stopped for "))
                .noneMatch(reason -> reason.contains("GC pauses"));
        JsonNode client = result.at("/phases/0/client");
        assertThat(client.at("/stalls/stoppedSeconds").asDouble()).isBetween(0.5, 2.5);
        assertThat(client.at("/contaminated/requests").asLong()).isPositive();
        assertThat(client.at("/contaminated/spans").size()).isPositive();
    }

    /** Three foreign loops on each core. */
    @ParameterizedTest
    @ValueSource(strings = {THINKING, CLOSED, OPEN, EVENTS})
    @Tag("slow")
    void aClientThatStarvesIsSuspect(String mode) throws Exception {
        List<Process> loops = new ArrayList<>();
        try (RecordingServer server = RecordingServer.start();
                JarProcess process = JarProcess.start(folder, line(mode, "2s", server))) {
            process.awaitLine("PEAK phase: All threads(");
            for (int i = 0; i < 3 * Runtime.getRuntime().availableProcessors(); i++) {
                loops.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            assertThat(process.end().code()).isZero();
        } finally {
            loops.forEach(Process::destroyForcibly);
        }
        assertSuspect(result());
    }

    /** A tenth of a CPU, by a control group of version 1 or 2. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "it has no control groups")
    @Tag("slow")
    void aThrottledClientIsSuspect() throws Exception {
        Path group = throttledGroup();
        try (RecordingServer server = RecordingServer.start();
                JarProcess process = JarProcess.startUnder(
                        folder,
                        List.of(),
                        "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"",
                        line(CLOSED, "2s", server))) {
            assertThat(process.end().code()).isZero();
        } finally {
            Files.deleteIfExists(group);
        }
        JsonNode result = result();
        assertSuspect(result);
        assertThat(Accounting.reasons(result)).anyMatch(reason -> reason.contains("control group"));
    }

    private static Path throttledGroup() throws IOException {
        String name = "phaseload-test-" + ProcessHandle.current().pid();
        for (String root : List.of("/sys/fs/cgroup/cpu", "/sys/fs/cgroup")) {
            Path group = Path.of(root, name);
            try {
                Files.createDirectory(group);
                if (Files.exists(group.resolve("cpu.cfs_quota_us"))) {
                    Files.writeString(group.resolve("cpu.cfs_quota_us"), "30000");
                    return group;
                }
                if (Files.exists(group.resolve("cpu.max"))) {
                    Files.writeString(group.resolve("cpu.max"), "30000 100000");
                    return group;
                }
                Files.delete(group);
            } catch (IOException e) {
                // Not mounted there, or not ours.
                Files.deleteIfExists(group);
            }
        }
        assumeThat(false).as("no control group can be made here").isTrue();
        throw new AssertionError();
    }

    @ParameterizedTest
    @CsvSource({"--overload drop, dropped", "--overload queue, queued at the phase's end"})
    @Tag("slow")
    void tooFewUsersForARateAreNamed(String overload, String reason) throws Exception {
        try (RecordingServer server = RecordingServer.start(request -> later(200));
                JarProcess process = JarProcess.start(folder, line("-c 2 --rate 1k/s " + overload, "1s", server))) {
            assertThat(process.end().code()).isZero();
        }
        JsonNode result = result();
        assertSuspect(result);
        assertThat(Accounting.byName(result.at("/phases/0/notSent"))).containsKey(reason);
        assertThat(Accounting.reasons(result))
                .anyMatch(text -> text.matches(".*requests .* weren't sent.*(users were busy|was the limit).*"));
    }

    private static int later(int status) {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return status;
    }

    @Test
    @Tag("slow")
    void theExitCodeSaysThatNothingSucceeded() throws Exception {
        try (RecordingServer server = RecordingServer.start(request -> 503);
                JarProcess process =
                        JarProcess.start(folder, "run -c 2 -n 3 --get / --out out --url " + server.url())) {
            assertThat(process.end().code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        }
        JsonNode result = result();
        assertThat(result.at("/totals/responses").asLong()).isPositive();
        assertThat(result.at("/verdict/status").asString()).isEqualTo("INVALID");
        assertThat(Accounting.reasons(result)).hasSize(1);
    }
}
