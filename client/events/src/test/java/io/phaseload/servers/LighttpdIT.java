package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.busy;
import static io.phaseload.servers.LoggedRun.pausing;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.engine.Protocol;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How lighttpd ends connections. */
@Timeout(60)
@Tag("slow")
class LighttpdIT {

    /**
     * lighttpd looks for idle connections once a second, so with a limit of one second it closes them after 1.0 to 2.4
     * s. All users start at once: without pauses beyond that none would meet a closed connection in some runs.
     */
    private static final Phase PAUSING = pausing(2, 700, 3_300);

    @TempDir
    private static Path folder;

    private static RealServer lighttpd;

    @BeforeAll
    static void start() throws Exception {
        lighttpd = RealServer.start("lighttpd -D -f", folder, "lighttpd.conf");
    }

    @AfterAll
    static void stop() throws Exception {
        if (lighttpd != null) {
            lighttpd.close();
        }
    }

    @Test
    void aConnectionClosedWhileIdleIsReopened() throws Exception {
        ConnectionEnds.idle(lighttpd, PAUSING, "/");
    }

    @Test
    void aConnectionClosedBeforeAPostIsReopened() throws Exception {
        ConnectionEnds.idleBeforePost(lighttpd, PAUSING, "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aLimitOfRequestsPerConnectionIsRespected(Route route) throws Exception {
        ConnectionEnds.limited(lighttpd, route, "/");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void anEarlyRefusalIsRead(Route route) throws Exception {
        ConnectionEnds.early(lighttpd, route, "/early");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "tls12", "tls13"})
    void requestsPipelinedBehindTheLastOneAreSentAgain(String port) throws Exception {
        Route route = Route.events(new Protocol.Http1(8), port);
        LoggedRun run = new LoggedRun(lighttpd, route, 16, busy(125), Operation.get("/"));

        run.assertAgrees();
        assertThat(run.end().failures()).as("%s", run).isEmpty();
    }
}
