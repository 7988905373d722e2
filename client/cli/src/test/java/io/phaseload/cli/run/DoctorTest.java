package io.phaseload.cli.run;

import static io.phaseload.cli.Usage.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DoctorTest {

    private static final List<String> CHECKS = List.of(
            "open-files",
            "local-ports",
            "cpu-quota",
            "cpu-governor",
            "clock-source",
            "run-queue",
            "hiccups",
            "same-host",
            "accept-queue",
            "proxy",
            "host-name",
            "addresses",
            "tls",
            "keep-alive",
            "connection-limit",
            "client-ceiling");

    @TempDir
    private Path folder;

    @Test
    void jsonHasEachCheck() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Path plan = Files.writeString(
                    folder.resolve("plan.yaml"), "target:\n  url: " + server.url() + "\nthreads: 4\n");

            Cli doctor = Cli.run("doctor", plan, "--json", "--rate", "2/s");

            assertThat(doctor.err()).isEmpty();
            assertThat(doctor.code()).isZero();
            assertThat(server.received()).isEmpty();
            JsonNode json = doctor.json();
            assertThat(json.get("passed").asBoolean()).isTrue();
            assertThat(json.get("checks").valueStream().map(check -> check.get("id")
                            .asString()))
                    .containsExactlyElementsOf(CHECKS);
            JsonNode here = json.at("/checks/7");
            assertThat(here.get("status").asString()).isEqualTo("WARN");
            assertThat(here.get("found").asString()).isEqualTo("127.0.0.1 is this host");
            assertThat(here.get("meaning").asString()).isNotEmpty();
            assertThat(here.get("fix").asString()).isEqualTo("run the client on another host");
            assertThat(json.at("/checks/12/why").asString()).isEqualTo("the plan uses no TLS");
            assertThat(json.at("/checks/15/meaning").asString())
                    .startsWith("the plan asks for 2/s, 0 % of what this machine can send");
        }
    }

    @Test
    void aRunDoesNotStartIfACheckFails() {
        Path out = folder.resolve("out");

        Cli run = Cli.run("run", "--doctor", "ws://127.0.0.1:9/{pair}", "--rate", "1/s", "--out", out);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("--doctor: nothing was started, since a check failed\n");
        assertThat(run.outLines())
                .anyMatch(line -> line.startsWith("FAIL  addresses         port 9 took no"))
                .anyMatch(line -> line.startsWith("                        fix: start the target"))
                .anyMatch(line -> line.matches("OK    open-files .* 20 connections .*"))
                .anyMatch(line -> line.matches("SKIP  client-ceiling .*the plan has messages.*"))
                .last()
                .asString()
                .startsWith("Doctor: 1 FAIL, ");
        assertThat(out).doesNotExist();
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThat(Cli.run("doctor", "--probe", "0"))
                .isEqualTo(usage("--probe 0: expected a whole number of 1 or more, such as 100 or" + " 10k"));
        assertThat(Cli.run("doctor", "--probe", "20k"))
                .isEqualTo(usage("--probe 20000: expected a whole number of 1 to 10000"));
        assertThat(Cli.run("doctor", "--out", "x"))
                .isEqualTo(usage("--out: doctor runs nothing, so there are no results to write"));
        assertThat(Cli.run("doctor", "--doctor").err()).startsWith("--doctor: no such option");
        assertThat(Cli.run("plan", "--doctor").err()).startsWith("--doctor: no such option");
        assertThat(Cli.run("run", "--doctor", "--agents", "local:2").err())
                .startsWith("--agents local:2: --doctor checks this machine")
                .hasLineCount(1);
        Path none = folder.resolve("none.yaml");
        assertThat(Cli.run("doctor", none).err())
                .startsWith("--plan " + none + ": expected a plan, or a result.json: ")
                .hasLineCount(1);
        assertThat(Cli.run("doctor", "--threads", "0").code()).isEqualTo(2);
    }
}
