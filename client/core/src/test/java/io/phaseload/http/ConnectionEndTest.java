package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A kept connection that the server ends, in every order of its words for that, with and without
 * having read the request: what is sent twice is known, and nothing that was read is sent again
 * unless it is idempotent and the connection had been idle.
 */
@Tag("contract")
class ConnectionEndTest {

    private static final Operation GET = Operation.get("/");
    private static final Operation POST = Operation.post("/", Body.ofText("x"));

    /** Longer than a connection may be without a request and not count as idle. */
    private static final Duration PAUSE = Duration.ofMillis(30);

    /** A busy machine may make a pause where the test makes none. */
    private static final int ATTEMPTS = 50;

    private static SSLContext certificate;

    private enum Ending {
        FIN(Peer::endOutput),
        CLOSE(Peer::closeInOrder),
        RST(Peer::reset),
        CLOSE_NOTIFY_AND_FIN(Peer::sayGoodbye),
        CLOSE_NOTIFY_AND_RST(Peer::sayGoodbyeAndReset);

        private final Script script;

        Ending(Script script) {
            this.script = script;
        }

        /** Ends the connection, but reads on where it can. */
        void play(Peer peer) throws Exception {
            script.play(peer);
        }
    }

    /** What a server saw, and what the client says of its second request. */
    private record Seen(Exchange second, int read, int connections) {

        /** The rule for counts: nothing is sent twice without being reported. */
        Seen counted() {
            int sent = 2;
            int resent = second.resent();
            int failed = second.outcome().responded() ? 0 : 1;
            assertThat(read).isBetween(sent - failed, sent + resent);
            return this;
        }
    }

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = TestCertificate.of("localhost", folder).server();
    }

    static Stream<Arguments> endings() {
        return Stream.of(ServerWire.values())
                .flatMap(
                        wire ->
                                Stream.of(Ending.values())
                                        .map(ending -> Arguments.of(wire, ending)));
    }

    /** The end is there before the request: nothing is sent to it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    void whileIdle(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            CountDownLatch firstRead = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            Script script =
                    peer -> {
                        peer.readRequest();
                        peer.write(Peer.OK);
                        firstRead.await();
                        ending.play(peer);
                        ended.countDown();
                        readAndAnswerNothing(peer);
                    };
            try (MisbehavingServer server = wire.start(certificate, script, Script.BEHAVE);
                    OneUser user = ServerWire.user(server.uri())) {
                assertThat(user.send(operation).outcome()).isEqualTo(Outcome.SUCCESS);
                firstRead.countDown();
                ended.await();
                Thread.sleep(PAUSE.toMillis());
                Exchange second = user.send(operation);

                assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(second.reconnected()).isTrue();
                assertThat(second.resent()).isZero();
                assertThat(server.requests()).hasSize(2);
                assertThat(server.connections()).isEqualTo(2);
            }
        }
    }

    /** The server has read the request, and ends a connection that had been idle before it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    @Tag("wire")
    void afterARequestOnAnIdleConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        Seen get = second(wire, GET, PAUSE, reading(ending)).counted();

        assertThat(get.second.outcome()).isEqualTo(Outcome.SUCCESS);
        assertThat(get.second.resent()).isEqualTo(1);
        assertThat(get.second.reconnected()).isTrue();
        assertThat(get.read).isEqualTo(3);

        Seen post = second(wire, POST, PAUSE, reading(ending)).counted();

        assertThat(post.second.outcome()).isEqualTo(new Outcome.ClosedWhileIdle());
        assertThat(post.second.resent()).isZero();
        assertThat(post.second.reconnected()).isFalse();
        assertThat(post.read).isEqualTo(2);
        assertThat(post.connections).isEqualTo(1);
    }

    /** There was no connection to send it over for the second time. */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void aRequestThatCannotBeSentAgainCountsAsSentOnce(ServerWire wire) throws Exception {
        CompletableFuture<MisbehavingServer> itself = new CompletableFuture<>();
        Script script =
                peer -> {
                    peer.readRequest();
                    peer.write(Peer.OK);
                    peer.readRequest();
                    itself.join().stopListening();
                    peer.reset();
                };
        try (MisbehavingServer server = wire.start(certificate, script);
                OneUser user = ServerWire.user(server.uri())) {
            itself.complete(server);
            assertThat(user.send(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            Thread.sleep(PAUSE.toMillis());
            Exchange second = user.send(GET);

            assertThat(second.outcome()).isEqualTo(new Outcome.ConnectRefused());
            assertThat(second.reconnected()).isTrue();
            assertThat(second.resent()).isZero();
            assertThat(server.requests()).hasSize(2);
        }
    }

    /** The request is there, but the server ends an idle connection without a look at it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    @Tag("wire")
    void beforeARequestOnAnIdleConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        Seen get = second(wire, GET, PAUSE, ignoring(ending)).counted();

        assertThat(get.second.outcome()).isEqualTo(Outcome.SUCCESS);
        assertThat(get.second.reconnected()).isTrue();
        assertThat(get.read).isEqualTo(2);

        Seen post = second(wire, POST, PAUSE, ignoring(ending)).counted();

        if (post.second.reconnected()) {
            assertThat(post.second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(post.second.resent()).isZero();
            assertThat(post.read).isEqualTo(2);
        } else {
            assertThat(post.second.outcome()).isEqualTo(new Outcome.ClosedWhileIdle());
            assertThat(post.read).isEqualTo(1);
        }
    }

    /** On a connection in steady use, what was read isn't sent again, whatever it is. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    void afterARequestOnABusyConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            Seen seen = second(wire, operation, Duration.ZERO, reading(ending)).counted();

            assertThat(seen.second.outcome())
                    .isEqualTo(new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
            assertThat(seen.second.resent()).isZero();
            assertThat(seen.read).isEqualTo(2);
            assertThat(seen.connections).isEqualTo(1);
        }
    }

    /** Without TLS the client looks for a reset for a while: that time is not the request's. */
    @Test
    @Tag("wire")
    void latencyEndsWhenTheEndIsDetected() throws Exception {
        Script script =
                peer -> {
                    peer.readRequest();
                    peer.write(Peer.OK);
                    reading(Ending.CLOSE).play(peer);
                };
        try (MisbehavingServer server = ServerWire.PLAIN.start(certificate, script);
                OneUser user = ServerWire.user(server.uri())) {
            long setUp = user.send(POST).setUpNanos();
            Exchange second = user.send(POST);
            long returned = System.nanoTime();

            assertThat(second.outcome().responded()).isFalse();
            assertThat(second.resent()).isZero();
            assertThat(returned - second.endNanos())
                    .as("the wait for a reset, 1 ms or two round trips")
                    .isGreaterThanOrEqualTo(Math.max(1_000_000, 2 * setUp));
        }
    }

    /** Nor is anything sent twice if it isn't known whether it was read. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    void beforeARequestOnABusyConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            Seen seen = second(wire, operation, Duration.ZERO, ignoring(ending)).counted();

            assertThat(seen.second.resent()).isZero();
            assertThat(seen.read).isEqualTo(seen.second.reconnected() ? 2 : 1);
        }
    }

    /** As servers do that tell of their timeout before they close (RFC 9110 §15.5.9). */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void aRequestTimeoutOnAnIdleConnectionIsNotAResponse(ServerWire wire) throws Exception {
        String farewell =
                "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        saysWhileIdle(wire, farewell, 2);
        for (Operation operation : new Operation[] {GET, POST}) {
            // It crosses with a request that the server doesn't read.
            Script crossing =
                    peer -> {
                        peer.awaitUnread();
                        peer.write(farewell);
                        peer.reset();
                    };
            Seen seen = second(wire, operation, PAUSE, crossing).counted();

            boolean again = operation == GET;
            assertThat(seen.second.resent()).isEqualTo(again ? 1 : 0);
            assertThat(seen.second.outcome())
                    .isEqualTo(again ? Outcome.SUCCESS : new Outcome.ClosedWhileIdle());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void aLateResponseDoesNotAnswerTheNextRequest(ServerWire wire) throws Exception {
        saysWhileIdle(wire, Peer.OK, 2);
    }

    @ParameterizedTest
    @EnumSource
    void anEmptyLineOnAnIdleConnectionIsDiscarded(ServerWire wire) throws Exception {
        saysWhileIdle(wire, "\r\n", 1);
    }

    private static void saysWhileIdle(ServerWire wire, String text, int connections)
            throws Exception {
        CountDownLatch firstRead = new CountDownLatch(1);
        CountDownLatch said = new CountDownLatch(1);
        Script script =
                peer -> {
                    peer.readRequest();
                    peer.write(Peer.OK);
                    firstRead.await();
                    peer.write(text);
                    said.countDown();
                    Script.BEHAVE.play(peer);
                };
        try (MisbehavingServer server = wire.start(certificate, script, Script.BEHAVE);
                OneUser user = ServerWire.user(server.uri())) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            firstRead.countDown();
            said.await();
            Thread.sleep(PAUSE.toMillis());
            Exchange second = user.send(POST);

            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.bytesReceived()).isEqualTo(Peer.OK.length());
            assertThat(second.reconnected()).isEqualTo(connections > 1);
            assertThat(second.resent()).isZero();
            assertThat(server.requests()).hasSize(2);
            assertThat(server.connections()).isEqualTo(connections);
        }
    }

    /** Bytes that come in one segment with a response are known of at once, idle or not. */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void surplusDataDoesNotAnswerTheNextRequest(ServerWire wire) throws Exception {
        assertThat(connectionsAfter(wire, Peer.OK + Peer.OK)).isEqualTo(2);
        assertThat(connectionsAfter(wire, Peer.OK + "\r\n")).isEqualTo(1);
    }

    private static int connectionsAfter(ServerWire wire, String said) throws Exception {
        Script script =
                peer -> {
                    peer.readRequest();
                    peer.write(said);
                    Script.BEHAVE.play(peer);
                };
        try (MisbehavingServer server = wire.start(certificate, script, Script.BEHAVE);
                OneUser user = ServerWire.user(server.uri())) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(user.send(POST).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests()).hasSize(2);
            return server.connections();
        }
    }

    /**
     * Has a connection's second request meet a script.
     *
     * @param pause before it; none means that the connection is busy
     */
    private static Seen second(ServerWire wire, Operation operation, Duration pause, Script then)
            throws Exception {
        Script script =
                peer -> {
                    peer.readRequest();
                    peer.write(Peer.OK);
                    then.play(peer);
                };
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try (MisbehavingServer server = wire.start(certificate, script, Script.BEHAVE);
                    OneUser user = ServerWire.user(server.uri())) {
                Exchange first = user.send(operation);
                assertThat(first.outcome()).isEqualTo(Outcome.SUCCESS);
                if (!pause.isZero()) {
                    Thread.sleep(pause.toMillis());
                }
                Exchange second = user.send(operation);
                // An event loop may take the request up late, too.
                if (!pause.isZero()
                        || !IdleConnection.wasIdle(first.endNanos(), second.sentNanos())) {
                    return new Seen(second, server.requests().size(), server.connections());
                }
            }
        }
        throw new AssertionError("this machine is too busy for two requests in a row");
    }

    private static Script reading(Ending ending) {
        return peer -> {
            peer.readRequest();
            ending.play(peer);
            peer.awaitHangUp();
        };
    }

    private static Script ignoring(Ending ending) {
        return peer -> {
            peer.awaitUnread();
            ending.play(peer);
            peer.reset();
        };
    }

    /** What still comes counts as read. */
    private static void readAndAnswerNothing(Peer peer) throws Exception {
        while (true) {
            peer.readRequest();
        }
    }
}
