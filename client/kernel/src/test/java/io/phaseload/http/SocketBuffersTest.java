package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phaseload.measure.Outcome;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.SocketBuffers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("contract")
@Timeout(60)
class SocketBuffersTest {

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "ss tells of sockets on Linux alone")
    void aSocketHasTheBuffersThatWereAskedFor() throws Exception {
        SocketBuffers buffers = new SocketBuffers(OptionalInt.of(50_000), OptionalInt.of(40_000));
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(Target.of(server.uri()).withBuffers(buffers))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);

            // Linux keeps as much again for its own needs.
            assertThat(socketsTo(server.port())).contains(",rb100000,", ",tb80000,");
        }
    }

    private static String socketsTo(int port) throws Exception {
        Process ss;
        try {
            ss = new ProcessBuilder("ss", "-Htnm", "dport", "=", ":" + port)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no ss on this machine: " + e.getMessage());
            return "";
        }
        return new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
