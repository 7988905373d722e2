package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Runs that get no response. Of those the verdict says nothing else, so that others may take CPU time meanwhile, while
 * most of these wait for five seconds.
 */
@Tag("slow")
class NoResponseIT {

    @TempDir
    private Path folder;

    /** Its port has no listener, and no other process gets it meanwhile. */
    private final Socket bound = new Socket();

    @BeforeEach
    void bind() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        bound.close();
    }

    private String deadUrl() {
        return "http://127.0.0.1:" + bound.getLocalPort() + "/";
    }

    private JsonNode result() throws IOException {
        return Accounting.balanced(folder.resolve("out"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void aDeadTargetIsGivenUp(String engine) throws Exception {
        String line = "run -c 10 -n 1m --get / --out out --engine " + engine;
        try (JarProcess process = JarProcess.start(folder, line + " --url " + deadUrl())) {
            Cli run = process.end();
            assertThat(run.code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        }
        JsonNode result = result();
        assertThat(result.get("interrupted").asBoolean()).isFalse();
        assertThat(result.at("/verdict/status").asString()).isEqualTo("INVALID");
        assertThat(Accounting.reasons(result))
                .singleElement()
                .asString()
                .startsWith("No connection could be made in the first 5 s");
        assertThat(result.at("/totals/requests").asLong()).isBetween(1L, 200L);
        assertThat(result.get("phases").valueStream()).allSatisfy(phase -> {
            Map<String, Long> notSent = Accounting.byName(phase.get("notSent"));
            assertThat(notSent).containsOnlyKeys("target unreachable");
        });
    }

    @Test
    void aRunThatKeepsGoingReachesItsEnd() throws Exception {
        String line = "run -c 2 --keep-going --get / --phases peak=1 --duration 6s --out out";
        try (JarProcess process = JarProcess.start(folder, line + " --url " + deadUrl())) {
            assertThat(process.end().code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        }
        JsonNode result = result();
        assertThat(result.at("/phases/0/wallSeconds").asDouble()).isGreaterThanOrEqualTo(6);
        assertThat(Accounting.reasons(result))
                .containsExactly("No complete response was received. See the failures by cause.");
    }
}
