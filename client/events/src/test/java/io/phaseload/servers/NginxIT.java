package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.RESET;
import static io.phaseload.servers.LoggedRun.UNKNOWN;
import static io.phaseload.servers.LoggedRun.busy;
import static io.phaseload.servers.LoggedRun.pausing;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.engine.Protocol;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How nginx ends connections. */
@Tag("slow")
@Timeout(60)
class NginxIT {

    @TempDir
    private static Path folder;

    private static RealServer nginx;

    @BeforeAll
    static void start() throws Exception {
        nginx = RealServer.start("nginx -c", folder, "nginx.conf", "locations.conf");
    }

    @AfterAll
    static void stop() throws Exception {
        if (nginx != null) {
            nginx.close();
        }
    }

    @Test
    void aConnectionClosedWhileIdleIsReopened() throws Exception {
        ConnectionEnds.idle(nginx, pausing(5, 50, 350), "/idle");
    }

    @Test
    void aConnectionClosedBeforeAPostIsReopened() throws Exception {
        ConnectionEnds.idleBeforePost(nginx, pausing(5, 50, 350), "/idle");
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aLimitOfRequestsPerConnectionIsRespected(Route route) throws Exception {
        ConnectionEnds.limited(nginx, route, "/seven");
    }

    /** It reads the request and closes the connection without a word. */
    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void aRequestThatWasReadIsNotSentAgain(Route route) throws Exception {
        LoggedRun run = new LoggedRun(
                nginx,
                route,
                4,
                busy(10),
                Operation.get("/"),
                Operation.get("/444"),
                Operation.get("/").named("once more"),
                Operation.post("/444", Body.ofText("x")));

        run.assertAgrees();
        // On a busy machine a user may pause for so long that its connection counts as idle.
        assertThat(run.end().failures().keySet()).isSubsetOf(RESET, UNKNOWN);
        assertThat(run.end().failed()).isEqualTo(80);
        assertThat(run.logged().get(200)).isEqualTo(80);
        assertThat(run.logged().get(444)).isBetween(80L, 80 + run.end().resent());
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void requestsOverTheRateFail(Route route) throws Exception {
        LoggedRun run = new LoggedRun(nginx, route, 10, busy(20), Operation.get("/limited"));

        run.assertAgrees();
        assertThat(run.end().failures()).containsOnlyKeys("http 503");
        assertThat(run.logged()).isEqualTo(run.end().statuses()).containsOnlyKeys(200, 503);
    }

    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void anEarlyRefusalIsRead(Route route) throws Exception {
        ConnectionEnds.early(nginx, route, "/early");
    }

    /** It doesn't wait for the rest of the body before it closes. */
    @ParameterizedTest
    @MethodSource("io.phaseload.servers.Route#all")
    void anEarlyRefusalBeforeAResetIsRead(Route route) throws Exception {
        ConnectionEnds.early(nginx, route, "/abrupt");
    }

    private static Stream<Route> reloaded() {
        return Stream.concat(
                Route.all(), Stream.of("plainH2", "tlsH2").map(port -> Route.events(new Protocol.Http2(10), port)));
    }

    @ParameterizedTest
    @MethodSource("reloaded")
    void aReloadIsSurvived(Route route) throws Exception {
        ConnectionEnds.reloaded(nginx, "HUP", route, busy(1_000_000));
    }

    @ParameterizedTest
    @MethodSource("reloaded")
    void aReloadLosesNothingOnIdleConnections(Route route) throws Exception {
        assertThat(ConnectionEnds.reloaded(nginx, "HUP", route, pausing(1_000_000, 15, 60))
                        .failures())
                .isEmpty();
    }
}
