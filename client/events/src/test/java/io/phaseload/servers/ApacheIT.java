package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.busy;
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

/** How Apache httpd ends connections. */
@Timeout(60)
@Tag("slow")
class ApacheIT {

    @TempDir
    private static Path folder;

    private static RealServer apache;

    @BeforeAll
    static void start() throws Exception {
        apache = RealServer.start("apache2 -DFOREGROUND -f", folder, "httpd.conf");
    }

    @AfterAll
    static void stop() throws Exception {
        if (apache != null) {
            apache.close();
        }
    }

    @Test
    void aConnectionClosedWhileIdleIsReopened() throws Exception {
        ConnectionEnds.idle(apache, pausing(5, 50, 350), "/");
    }

    @Test
    void aConnectionClosedBeforeAPostIsReopened() throws Exception {
        ConnectionEnds.idleBeforePost(apache, pausing(5, 50, 350), "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aLimitOfRequestsPerConnectionIsRespected(Route route) throws Exception {
        ConnectionEnds.limited(apache, route, "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void anEarlyRefusalIsRead(Route route) throws Exception {
        ConnectionEnds.early(apache, route, "/early");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aReloadIsSurvived(Route route) throws Exception {
        ConnectionEnds.reloaded(apache, "USR1", route, busy(1_000_000));
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aReloadLosesNothingOnIdleConnections(Route route) throws Exception {
        assertThat(ConnectionEnds.reloaded(apache, "USR1", route, pausing(1_000_000, 15, 60))
                        .failures())
                .isEmpty();
    }
}
