package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.pausing;

import io.phaseload.plan.Phase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How Node ends connections. */
@Timeout(60)
class NodeIT {

    // Newer versions close a second after their timeout.
    private static final Phase PAUSING = pausing(3, 900, 1_500);

    @TempDir
    private static Path folder;

    private static RealServer node;

    @BeforeAll
    static void start() throws Exception {
        node = RealServer.start("node", folder, "server.js");
    }

    @AfterAll
    static void stop() throws Exception {
        if (node != null) {
            node.close();
        }
    }

    @Test
    void aConnectionClosedWhileIdleIsReopened() throws Exception {
        ConnectionEnds.idle(node, PAUSING, "/");
    }

    @Test
    void aConnectionClosedBeforeAPostIsReopened() throws Exception {
        ConnectionEnds.idleBeforePost(node, PAUSING, "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aLimitOfRequestsPerConnectionIsRespected(Route route) throws Exception {
        ConnectionEnds.limited(node, route, "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void anEarlyRefusalIsRead(Route route) throws Exception {
        ConnectionEnds.early(node, route, "/early");
    }

    /** It sends {@code 408} before it closes: that isn't the next request's response. */
    @Test
    void anUnsolicitedTimeoutIsNotAResponse() throws Exception {
        ConnectionEnds.idle(node, PAUSING, "/408");
    }
}
