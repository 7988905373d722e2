package io.phaseload.cli.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Plan;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The server is in this JVM: it starts when the commands are waited for. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the commands are for sh")
class SideCommandsTest {

    @TempDir
    private Path folder;

    private Path log;
    private int port;
    private Plan plan;

    @BeforeEach
    void findAPort() throws IOException {
        log = folder.resolve("log");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        plan = Plan.builder(URI.create("http://127.0.0.1:" + port + "/")).build();
    }

    private static SideCommands commands(String before, String start, String stop, String ready) {
        return new SideCommands(
                "b",
                Optional.ofNullable(before),
                Optional.ofNullable(start),
                Optional.ofNullable(stop),
                Optional.ofNullable(ready),
                Duration.ofSeconds(20));
    }

    private TargetServer serve() {
        try {
            return TargetServer.start(ServerSettings.builder().port(port).build());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theTargetIsStartedAwaitedAndEnded() throws Exception {
        TargetServer[] server = {null};
        SideCommands commands = commands(
                "echo before $AB_SIDE",
                "echo $$ > '%s/pid'; echo started; exec sleep 100".formatted(folder),
                "echo stopped",
                "/delay?ms=0");
        try (SideCommands.StartedSide started = commands.begin(plan, log, pause -> {
            if (server[0] == null && Files.exists(folder.resolve("pid"))) {
                server[0] = serve();
            }
            return true;
        })) {
            assertThat(log).hasContent("before b\nstarted\n");
            assertThat(server[0].requestsServed()).isEqualTo(1);
        } finally {
            server[0].close();
        }
        long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(log).hasContent("before b\nstarted\nstopped\n");
    }

    @Test
    void aCommandThatFailsIsNamed() {
        assertThatThrownBy(() -> commands("exit 3", null, null, null).begin(plan, log, pause -> true))
                .hasMessage("--before-each: ended with exit code 3; its output is in the results folder");
        assertThatThrownBy(() -> commands(null, "exit 4", null, null).begin(plan, log, pause -> true))
                .hasMessage("--b-start: ended with exit code 4; its output is in the results folder");
    }

    @Test
    void anAddressThatIsTakenIsRefused() {
        try (TargetServer server = serve()) {
            assertThatThrownBy(() -> commands(null, "true", null, null).begin(plan, log, pause -> true))
                    .hasMessage("--b-start: http://127.0.0.1:%d/ takes connections before it: expected --b-stop to"
                                    .formatted(port)
                            + " end it");
        }
    }

    @Test
    void aSignalEndsTheWait() {
        assertThatThrownBy(() -> commands(null, "exec sleep 100", null, null).begin(plan, log, pause -> false))
                .isInstanceOf(InterruptedIOException.class);
    }
}
