package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.check.Check;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a complete response counts as; a failed one is no reason to give up the connection. */
@Tag("contract")
class StatusRuleTest {

    private static final String BODY = "the server is älive";

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 206, 299, 300, 302, 308, 399})
    void statusesFrom200To399Succeed(int status) throws Exception {
        assertThat(outcome(status)).isEqualTo(Outcome.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 429, 500, 503, 599, 600, 999})
    void otherStatusesFail(int status) throws Exception {
        assertThat(outcome(status)).isEqualTo(new Outcome.HttpFailure(status, BODY));
    }

    @Test
    void onlyTheExpectedStatusSucceeds() throws Exception {
        Check notFound = new Check.StatusIs(404);

        assertThat(outcome(404, notFound)).isEqualTo(Outcome.SUCCESS);
        assertThat(outcome(200, notFound))
                .isEqualTo(new Outcome.CheckFailure(Cause.of("check status=404"), "status 200"));
    }

    @Test
    void aServiceThatFailsIsNoFailedCheck() throws Exception {
        Check created = new Check.StatusIs(201);

        for (int status : new int[] {429, 500, 503}) {
            assertThat(outcome(status, new Check.BodyCheck("dead", false), created))
                    .isEqualTo(new Outcome.HttpFailure(status, BODY));
        }
        assertThat(outcome(404, created))
                .isEqualTo(new Outcome.CheckFailure(Cause.of("check status=201"), "status 404"));
        assertThat(outcome(503, new Check.StatusIs(503))).isEqualTo(Outcome.SUCCESS);
    }

    @Test
    void aClassOrAListOfStatusesMayBeAllowed() throws Exception {
        Check created = Check.StatusIs.parse("200,201,4xx");

        for (int status : new int[] {200, 201, 400, 499}) {
            assertThat(outcome(status, created)).isEqualTo(Outcome.SUCCESS);
        }
        for (int status : new int[] {202, 302, 399}) {
            assertThat(outcome(status, created))
                    .isEqualTo(new Outcome.CheckFailure(Cause.of("check status=200,201,4xx"), "status " + status));
        }
    }

    @Test
    void theBodyMustContainTheExpectedText() throws Exception {
        assertThat(outcome(200, new Check.BodyCheck("älive", false))).isEqualTo(Outcome.SUCCESS);
        assertThat(outcome(200, new Check.BodyCheck("dead", false)))
                .isEqualTo(new Outcome.CheckFailure(Cause.of("check body~'dead'"), BODY));
    }

    @Test
    void aWrongStatusTakesPrecedenceOverAWrongBody() throws Exception {
        assertThat(outcome(503, new Check.BodyCheck("dead", false))).isEqualTo(new Outcome.HttpFailure(503, BODY));
    }

    @Test
    void allChecksMustHold() throws Exception {
        Check status = new Check.StatusIs(404);
        Check text = new Check.BodyCheck("server", false);

        assertThat(outcome(404, status, text)).isEqualTo(Outcome.SUCCESS);
        assertThat(outcome(404, status, text, new Check.BodyCheck("dead", false)))
                .isEqualTo(new Outcome.CheckFailure(Cause.of("check body~'dead'"), BODY));
    }

    @Test
    void onlyTheFirstMebibyteIsSearched() throws Exception {
        Check end = new Check.BodyCheck("END", false);
        int mebibyte = 1 << 20;

        assertThat(outcomeOfBody("x".repeat(mebibyte - 3) + "END and more", end))
                .isEqualTo(Outcome.SUCCESS);
        assertThat(outcomeOfBody("x".repeat(mebibyte - 2) + "END and more", end))
                .isEqualTo(new Outcome.CheckFailure(Cause.of("check body~'END'"), "x".repeat(1 << 10)));
    }

    @Test
    void aResponseWithoutABodyContainsNothing() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 204 No Content\r\n\r\n");
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Check text = new Check.BodyCheck("a", false);
            assertThat(user.send(Operation.get("/").withChecks(text)).outcome())
                    .isEqualTo(new Outcome.CheckFailure("check body~'a'"));
        }
    }

    /** The outcome of the second of two exchanges on one connection; the first has it, too. */
    private static Outcome outcome(int status, Check... checks) throws Exception {
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + " Whatever\r\nContent-Length: " + body.length;
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(head + "\r\n\r\n");
                peer.write(body);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Operation operation = Operation.get("/").withChecks(checks);
            Outcome first = user.send(operation).outcome();
            Outcome second = user.send(operation).outcome();

            assertThat(first).isEqualTo(second);
            assertThat(server.connections()).isEqualTo(1);
            return second;
        }
    }

    private static Outcome outcomeOfBody(String body, Check check) throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n");
            peer.write(body);
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            return user.send(Operation.get("/").withChecks(check)).outcome();
        }
    }
}
