package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A kept connection that the server ended before the request: it goes over a new one. */
@Tag("contract")
@Tag("wire")
class ReconnectTest {

    private static final Outcome RESET = new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE);

    private final CountDownLatch firstRead = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Answers one request; what comes then happens between the client's two. */
    private Script afterOne(Script ending) {
        return peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            firstRead.await();
            ending.play(peer);
            closed.countDown();
        };
    }

    private Exchange secondOf(OneUser user) throws InterruptedException {
        assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
        firstRead.countDown();
        closed.await();
        return user.get();
    }

    @Test
    void orderlyCloseBeforeTheRequestIsAReconnect() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(afterOne(Peer::closeInOrder), Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            Exchange second = secondOf(user);

            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.reconnected()).isTrue();
            assertThat(second.setUpNanos()).isPositive();
            assertThat(second.bytesReceived()).isEqualTo(Peer.OK.length());
            assertThat(server.requests()).hasSize(2);
            assertThat(server.connections()).isEqualTo(2);

            Exchange third = user.get();
            assertThat(third.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(third.reconnected()).isFalse();
            assertThat(third.setUpNanos()).isZero();
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void resetBeforeTheRequestIsAReconnect() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(afterOne(Peer::reset), Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            Exchange second = secondOf(user);

            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.reconnected()).isTrue();
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void theNewConnectionMayFailToo() throws Exception {
        Script breaks = peer -> {
            peer.readRequest();
            peer.closeInOrder();
        };
        try (MisbehavingServer server = MisbehavingServer.start(afterOne(Peer::closeInOrder), breaks);
                OneUser user = OneUser.of(server.uri())) {
            Exchange second = secondOf(user);

            assertThat(second.outcome()).isEqualTo(RESET);
            assertThat(second.reconnected()).isTrue();
            assertThat(server.requests()).hasSize(2);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void theServerMayBeGone() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(afterOne(Peer::closeInOrder));
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            server.stopListening();
            firstRead.countDown();
            closed.await();
            Exchange second = user.get();

            assertThat(second.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
            assertThat(second.reconnected()).isTrue();
            assertThat(server.requests()).hasSize(1);
        }
    }

    /** The system took a part of the request, so that the server may have seen it. */
    @Test
    void resetInALargeRequestIsAFailure() throws Exception {
        Script resets = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            peer.awaitFirstByte();
            peer.reset();
        };
        try (MisbehavingServer server = MisbehavingServer.start(resets, Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            Exchange second = user.send(Operation.post("/", Body.ofBytes(new byte[10_000_000])));

            // A busy machine may make a pause, so that the connection was idle.
            assertThat(second.outcome()).isIn(RESET, Outcome.NoResponse.UNKNOWN_IF_READ);
            assertThat(second.reconnected()).isFalse();
            assertThat(server.connections()).isEqualTo(1);
        }
    }
}
