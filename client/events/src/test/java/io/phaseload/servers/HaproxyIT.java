package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.pausing;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How HAProxy ends connections. */
@Timeout(60)
@Tag("slow")
class HaproxyIT {

    @TempDir
    private static Path folder;

    private static RealServer haproxy;

    @BeforeAll
    static void start() throws Exception {
        haproxy = RealServer.start("haproxy -W -f", folder, "haproxy.cfg");
    }

    @AfterAll
    static void stop() throws Exception {
        if (haproxy != null) {
            haproxy.close();
        }
    }

    @Test
    void aConnectionClosedWhileIdleIsReopened() throws Exception {
        ConnectionEnds.idle(haproxy, pausing(5, 50, 350), "/");
    }

    @Test
    void aConnectionClosedBeforeAPostIsReopened() throws Exception {
        ConnectionEnds.idleBeforePost(haproxy, pausing(5, 50, 350), "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void anEarlyRefusalIsRead(Route route) throws Exception {
        ConnectionEnds.early(haproxy, route, "/early");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aReloadLosesNothingOnIdleConnections(Route route) throws Exception {
        assertThat(ConnectionEnds.reloaded(haproxy, "USR2", route, pausing(1_000_000, 15, 60))
                        .failures())
                .isEmpty();
    }
}
