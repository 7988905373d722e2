package io.phaseload;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run against a server that has a fault says of it. */
@Timeout(60)
class DiagnosedRunTest {

    private static final int KEPT = 10;
    private static final String NOT_FOUND = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

    @Test
    void aLimitOfKeepAliveIsFound() throws Exception {
        Script script = peer -> {
            for (int i = 0; i < KEPT; i++) {
                peer.readRequest();
                peer.write(Peer.OK);
            }
        };

        Result result = run(script);

        assertThat(result.diagnoses()).extracting(Diagnosis::id).containsExactly("keep-alive-limit");
        Diagnosis found = result.diagnoses().get(0);
        assertThat(found.phase()).contains("peak");
        assertThat(found.evidence().get("requestsPerConnection").doubleValue()).isEqualTo(KEPT);
    }

    @Test
    void nothingIsFoundOfOneThatHasNone() throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(Peer.OK);
            }
        };

        assertThat(run(script).diagnoses()).isEmpty();
    }

    @Test
    void aWrongPathIsFound() throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(NOT_FOUND);
            }
        };

        Diagnosis found = run(script).diagnoses().get(0);

        assertThat(found.id()).isEqualTo("wrong-request");
        assertThat(found.text())
                .startsWith("none of the 400 requests of 'GET /' succeeded; 400 were answered with status" + " 404:");
    }

    /** That is no limit of the client's, though nothing left it. */
    @Test
    void aNameThatNobodyKnowsIsFound() {
        Result result = run(URI.create("http://nobody.invalid/"));

        assertThat(result.diagnoses()).extracting(Diagnosis::id).containsExactly("unknown-host");
        assertThat(result.verdict().findings()).extracting(Finding::id).doesNotContain("client-limit");
    }

    private static Result run(Script script) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            return run(server.uri());
        }
    }

    private static Result run(URI uri) {
        Plan plan = Plan.builder(uri)
                .threads(4)
                .operations(Operation.get("/"))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(100)))
                .build();
        try (ThreadsLoadClient client = ThreadsLoadClient.of(plan)) {
            return client.run();
        }
    }
}
