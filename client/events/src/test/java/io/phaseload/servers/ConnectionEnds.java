package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.GOAWAY;
import static io.phaseload.servers.LoggedRun.RESET;
import static io.phaseload.servers.LoggedRun.UNKNOWN;
import static io.phaseload.servers.LoggedRun.busy;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Body;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.result.Figures;
import java.util.List;
import java.util.Map;

/** How every server ends connections, and what a run must make of it. */
final class ConnectionEnds {

    /** A server's last word on an idle connection, which may cross with a request, too. */
    private static final String TIMEOUT = "http 408";

    private static final Body SMALL = Body.ofText("x");
    private static final Body LARGE = Body.ofBytes(new byte[10_000_000]);

    /** Of runs that pause. */
    private static final int USERS = 20;

    private ConnectionEnds() {}

    /** Users pause for about as long as the server keeps idle connections: no request fails. */
    static void idle(RealServer server, Phase pausing, String path) throws Exception {
        for (LoggedRun run : everyRoute(server, pausing, true, Operation.get(path))) {
            run.assertAgrees();
            assertThat(run.end().failures()).as("%s", run).isEmpty();
            assertThat(run.end().reconnects() + run.end().resent())
                    .as("%s", run)
                    .isPositive();
        }
    }

    /** The same without {@code --resend-idle}: a request that crosses with the end may fail. */
    static void idleBeforePost(RealServer server, Phase pausing, String path) throws Exception {
        for (LoggedRun run : everyRoute(server, pausing, false, Operation.post(path, SMALL))) {
            run.assertAgrees(RESET, UNKNOWN);
            assertThat(run.end().failures().keySet()).as("%s", run).isSubsetOf(RESET, UNKNOWN, TIMEOUT);
            // Threads take a reset after FIN for the answer to a late request, and count that.
            assertThat(run.end().resent())
                    .as("%s", run)
                    .isLessThanOrEqualTo(run.end().reconnects());
            // lighttpd's files announce the end, so those connections are no reconnects.
            assertThat(run.end().connectionSetUp().samples()).as("%s", run).isGreaterThan(USERS);
        }
    }

    /** All at once, since their users pause most of the time. */
    private static List<LoggedRun> everyRoute(
            RealServer server, Phase pausing, boolean resendIdle, Operation operation) {
        return Route.all()
                .map(route -> new LoggedRun(server, route, USERS, pausing, resendIdle, operation))
                .toList();
    }

    /** After seven requests the server closes a connection and says so: no request fails. */
    static void limited(RealServer server, Route route, String path) throws Exception {
        LoggedRun run = new LoggedRun(server, route, 10, busy(50), Operation.get(path));

        run.assertAgrees();
        assertThat(run.end().failures()).as("%s", run).isEmpty();
        assertThat(run.end().resent()).isZero();
        assertThat(run.end().connectionSetUp().samples()).isGreaterThanOrEqualTo(500 / 8);
    }

    /** The server answers with 413 and closes while 10 MB are on their way: all see that. */
    static void early(RealServer server, Route route, String path) throws Exception {
        LoggedRun run = new LoggedRun(server, route, 2, busy(5), Operation.post(path, LARGE));

        run.assertAgrees();
        assertThat(run.end().failures()).as("%s", run).isEqualTo(Map.of("http 413", 10L));
        assertThat(run.logged()).isEqualTo(Map.of(413, 10L));
    }

    /**
     * The server is reloaded four times while 50 users send: requests get an answer. Those on idle connections may be
     * sent again.
     */
    static Figures reloaded(RealServer server, String signal, Route route, Phase phase) throws Exception {
        boolean pausing =
                phase.load() instanceof Load.Closed closed && !closed.think().isNone();
        LoggedRun run = new LoggedRun(server, route, 50, phase, pausing, Operation.get("/"));
        try (run) {
            for (int i = 0; i < 4; i++) {
                run.awaitMoreLogged(100);
                server.reload(signal);
            }
            run.awaitMoreLogged(300);
        }
        Figures figures = run.end();
        // What crosses with a reset on a connection in steady use may have been read or not.
        run.assertAgrees(RESET, UNKNOWN, GOAWAY);
        assertThat(figures.failures().keySet()).isSubsetOf(RESET, UNKNOWN, GOAWAY);
        assertThat(figures.connectionSetUp().samples())
                .as("connections")
                .isGreaterThan(50 / route.engine().protocol().usersPerConnection());
        return figures;
    }
}
