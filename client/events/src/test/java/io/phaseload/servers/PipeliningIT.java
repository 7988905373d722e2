package io.phaseload.servers;

import static io.phaseload.servers.LoggedRun.RESET;
import static io.phaseload.servers.LoggedRun.busy;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Operation;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests in a pipeline, to servers that are not known for it. */
@Tag("slow")
@Timeout(60)
class PipeliningIT {

    private static final EngineSettings ONE_LOOP = EngineSettings.builder("events")
            .loops(1)
            .protocol(new Protocol.Http1(8))
            .build();
    private static final String NO_PIPELINING = "no pipelining";
    private static final int USERS = 16;
    private static final int REQUESTS = USERS * 25;

    /** After so many connections in a row that end early it is clear. */
    private static final int CONNECTIONS = 3;

    @TempDir
    private Path folder;

    private static LoggedRun run(RealServer server) {
        return new LoggedRun(server, new Route(ONE_LOOP, "plain"), USERS, busy(25), Operation.get("/"));
    }

    /** It closes each connection behind its first response, and resets it if more has arrived. */
    @Test
    void phpsBuiltInServerIsDetectedAsNotPipelining() throws Exception {
        try (RealServer php = RealServer.start("php -n -S 127.0.0.1:${plain}", folder, "router.php")) {
            LoggedRun run = run(php);

            run.assertAgrees(RESET, NO_PIPELINING);
            Figures figures = run.end();
            assertThat(figures.failures()).containsKey(NO_PIPELINING);
            assertThat(figures.failures().keySet()).isSubsetOf(RESET, NO_PIPELINING);
            assertThat(figures.failed()).as("%s", run).isLessThanOrEqualTo(USERS * CONNECTIONS);
            assertThat(figures.succeeded()).isGreaterThanOrEqualTo(REQUESTS - USERS * CONNECTIONS);
        }
    }

    @Test
    void pumaAnswersEachRequest() throws Exception {
        try (RealServer puma = RealServer.start("puma -C", folder, "puma.rb")) {
            LoggedRun run = run(puma);

            run.assertAgrees();
            assertThat(run.end().failures()).as("%s", run).isEmpty();
            assertThat(run.end().succeeded()).isEqualTo(REQUESTS);
            assertThat(run.end().connectionSetUp().samples()).isEqualTo(USERS / 8);
        }
    }
}
