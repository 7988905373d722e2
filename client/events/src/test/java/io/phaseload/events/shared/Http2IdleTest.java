package io.phaseload.events.shared;

import static io.phaseload.events.shared.SharedClient.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Http2Windows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection of HTTP/2 that the server closes, without a word, while it is idle or near it. */
@Timeout(60)
class Http2IdleTest {

    private static final Operation GET = Operation.get("/");
    private static final Operation POST = Operation.post("/", Body.ofText("x"));

    private static final Outcome RESET = new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE);

    /** The connection that was reopened is counted once, however many users waited for it. */
    @Test
    void aConnectionUnknownIfReadIsReopened() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (Http2Server server = new Http2Server(request -> {
                    request.answer();
                    if (request.number() == 3) {
                        request.closeConnection();
                        closed.countDown();
                    }
                });
                SharedClient client = new SharedClient(Target.of(server.uri()), 3)) {
            assertThat(join(client.sendAll(GET))).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            closed.await();
            client.beIdle();

            List<Exchange> second = join(client.sendAll(POST));

            assertThat(second).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(second).extracting(Exchange::reconnected).containsExactly(true, false, false);
            assertThat(second).extracting(Exchange::resent).containsOnly(0);
            assertThat(server.connections()).isEqualTo(2);
            assertThat(server.requests()).isEqualTo(6);
        }
    }

    @Test
    void anIdempotentRequestOnAnIdleConnectionIsSentAgainIfAskedFor() throws Exception {
        try (Http2Server server = closesOnRequests(2, 3);
                SharedClient client = new SharedClient(Target.of(server.uri()).withResendIdle(true), 2)) {
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            client.beIdle();

            List<Exchange> second = join(client.sendAll(GET));

            assertThat(second).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(second).extracting(Exchange::resent).containsOnly(1);
            assertThat(second).extracting(Exchange::reconnected).containsExactly(true, false);
            // Sent are 3, of which 2 were sent again.
            assertThat(server.requests()).isEqualTo(5);
        }
    }

    /** The server has read them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsOnAnIdleConnectionFail(boolean get) throws Exception {
        try (Http2Server server = closesOnRequests(2, 3);
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            client.beIdle();

            List<Exchange> second = join(client.sendAll(get ? GET : POST));

            assertThat(second).extracting(Exchange::outcome).containsOnly(RESET);
            assertThat(second).extracting(Exchange::resent).containsOnly(0);
            assertThat(server.requests()).isEqualTo(3);
        }
    }

    /** Without TCP's figures nobody knows, unless the end comes later than a round trip. */
    @Test
    void anEndThatMayHaveCrossedWithARequestIsUnknown() throws Exception {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            try (Http2Server server = closesOnRequests(2, 2);
                    SharedClient client = new SharedClient(
                            Target.of(server.uri()), null, 1, Http2Windows.DEFAULT, Optional.of("nio"))) {
                assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
                outcomes.add(client.exchange(GET).outcome());
                assertThat(server.requests()).isEqualTo(2);
            }
        }
        assertThat(outcomes)
                .contains(Outcome.NoResponse.UNKNOWN_IF_READ)
                .isSubsetOf(Outcome.NoResponse.UNKNOWN_IF_READ, RESET);
    }

    /** The attempt was made for the first of them, which a reconnect is counted of. */
    @Test
    void aFailedReconnectFailsAllWaitingUsers() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (Http2Server server = new Http2Server(request -> {
                    request.answer();
                    request.closeConnection();
                    closed.countDown();
                });
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            server.stopListening();
            closed.await();
            client.beIdle();

            List<Exchange> second = join(client.sendAll(GET));

            assertThat(second).extracting(Exchange::outcome).containsOnly(Outcome.NoResponse.CONNECT_REFUSED);
            assertThat(second).extracting(Exchange::reconnected).containsExactly(true, false);
        }
    }

    /** Answers, but for two of the requests: when it has read both it closes the connection. */
    private static Http2Server closesOnRequests(int first, int second) {
        return new Http2Server(request -> {
            if (request.number() == second) {
                request.closeConnection();
            } else if (request.number() != first) {
                request.answer();
            }
        });
    }
}
