package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
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
 * A kept connection that the server ends, in every order of FIN, RST and close_notify, with and without having read the
 * request: a request that was read is never sent again, unless the plan asks for it.
 */
@Tag("contract")
class ConnectionEndTest {

    private static final Operation GET = Operation.get("/");
    private static final Operation POST = Operation.post("/", Body.ofText("x"));
    private static final Operation LARGE = Operation.post("/", Body.ofBytes(new byte[100_000]));

    private static final Outcome RESET = new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE);
    private static final Outcome UNKNOWN = Outcome.NoResponse.UNKNOWN_IF_READ;

    /** Longer than a connection may be without a request and not count as idle. */
    private static final Duration PAUSE = Duration.ofMillis(30);

    private static final Duration SHORT_PAUSE = Duration.ofMillis(3);

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
                .flatMap(wire -> Stream.of(Ending.values()).map(ending -> Arguments.of(wire, ending)));
    }

    /** The end is there before the request, though its user hardly pauses: nothing is sent to it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    void whileIdle(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            CountDownLatch firstRead = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            Script script = peer -> {
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
                Thread.sleep(SHORT_PAUSE.toMillis());
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
        for (Operation operation : new Operation[] {GET, POST}) {
            Seen seen = second(wire, operation, PAUSE, reading(ending)).counted();

            assertThat(seen.second.outcome()).isIn(RESET, UNKNOWN);
            assertThat(seen.second.resent()).isZero();
            assertThat(seen.second.reconnected()).isFalse();
            assertThat(seen.read).isEqualTo(2);
            assertThat(seen.connections).isEqualTo(1);
        }
    }

    /** As browsers do: the plan asks for it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    @Tag("wire")
    void anIdempotentRequestIsSentAgainIfAskedFor(ServerWire wire, Ending ending) throws Exception {
        Seen get = second(wire, ServerWire::resendingUser, GET, PAUSE, reading(ending))
                .counted();

        assertThat(get.second.outcome()).isEqualTo(Outcome.SUCCESS);
        assertThat(get.second.resent()).isEqualTo(1);
        assertThat(get.second.reconnected()).isTrue();
        assertThat(get.read).isEqualTo(3);

        Seen post = second(wire, ServerWire::resendingUser, POST, PAUSE, reading(ending))
                .counted();

        assertThat(post.second.outcome()).isIn(RESET, UNKNOWN);
        assertThat(post.second.resent()).isZero();
        assertThat(post.read).isEqualTo(2);
    }

    /** The server reads the header and a part of the body: FIN then RST proves nothing here. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    @Tag("wire")
    void aRequestThatWasReadInPartIsNotSentAgain(ServerWire wire, Ending ending) throws Exception {
        Script script = peer -> {
            peer.awaitFirstByte();
            ending.play(peer);
            peer.reset();
        };
        for (Duration pause : new Duration[] {PAUSE, Duration.ZERO}) {
            Seen seen = second(wire, LARGE, pause, script);

            assertThat(seen.second.outcome()).isIn(RESET, UNKNOWN);
            assertThat(seen.second.resent()).isZero();
            assertThat(seen.connections).isEqualTo(1);
        }
    }

    /** A server that closes its side first, and answers nothing, gets no POST twice uncounted. */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void anEndBeforeALargeRequestIsFoundFirst(ServerWire wire) throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            Ending.CLOSE.play(peer);
        };
        try (MisbehavingServer server = wire.start(certificate, script, Script.BEHAVE);
                OneUser user = ServerWire.user(server.uri())) {
            assertThat(user.send(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            Thread.sleep(PAUSE.toMillis());
            Exchange second = user.send(LARGE);

            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.reconnected()).isTrue();
            assertThat(server.requests()).hasSize(2);
        }
    }

    /** There was no connection to send it over for the second time. */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void aRequestThatCannotBeSentAgainCountsAsSentOnce(ServerWire wire) throws Exception {
        CompletableFuture<MisbehavingServer> itself = new CompletableFuture<>();
        Script script = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            peer.readRequest();
            itself.join().stopListening();
            peer.reset();
        };
        try (MisbehavingServer server = wire.start(certificate, script);
                OneUser user = ServerWire.resendingUser(server.uri())) {
            itself.complete(server);
            assertThat(user.send(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            Thread.sleep(PAUSE.toMillis());
            Exchange second = user.send(GET);

            assertThat(second.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
            assertThat(second.reconnected()).isTrue();
            assertThat(second.resent()).isZero();
            assertThat(server.requests()).hasSize(2);
        }
    }

    /**
     * A server that reads a request, ends its output and then resets looks like one that closed before: a request that
     * is sent again is counted.
     */
    @Test
    @Tag("wire")
    void aResetThatFollowsTheEndIsNoProof() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.endOutput();
            // The client looks for a reset for at least twice as long.
            peer.pause(Duration.ofNanos(500_000));
            peer.reset();
        };
        for (int i = 0; i < 10; i++) {
            Seen seen = second(ServerWire.PLAIN, POST, Duration.ZERO, script).counted();

            assertThat(seen.second.resent()).isEqualTo(seen.second.reconnected() ? 1 : 0);
        }
    }

    /** The request is there, but the server ends an idle connection without a look at it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    @Tag("wire")
    void beforeARequestOnAnIdleConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            Seen seen = second(wire, operation, PAUSE, ignoring(ending)).counted();

            assertThat(seen.second.resent()).isLessThanOrEqualTo(wire.secured() ? 0 : 1);
            assertThat(seen.read).isEqualTo(seen.second.reconnected() ? 2 : 1);
        }
    }

    /** On a connection in steady use, what was read isn't sent again, whatever it is. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    void afterARequestOnABusyConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            Seen seen = second(wire, operation, Duration.ZERO, reading(ending)).counted();

            assertThat(seen.second.outcome()).isIn(RESET, UNKNOWN);
            assertThat(seen.second.resent()).isZero();
            assertThat(seen.read).isEqualTo(2);
            assertThat(seen.connections).isEqualTo(1);
        }
    }

    /** Without TLS the client looks for a reset for a while: that time is not the request's. */
    @Test
    @Tag("wire")
    void latencyEndsWhenTheEndIsDetected() throws Exception {
        boolean events = "events".equals(System.getProperty("phaseload.test.engine"));
        assumeFalse(events, "event loops ask the kernel, which takes no time");
        Script script = peer -> {
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

    /** Nor is anything sent twice, uncounted, if it isn't known whether it was read. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("endings")
    void beforeARequestOnABusyConnectionWasRead(ServerWire wire, Ending ending) throws Exception {
        for (Operation operation : new Operation[] {GET, POST}) {
            Seen seen = second(wire, operation, Duration.ZERO, ignoring(ending)).counted();

            assertThat(seen.second.resent()).isLessThanOrEqualTo(wire.secured() ? 0 : 1);
            assertThat(seen.read).isEqualTo(seen.second.reconnected() ? 2 : 1);
        }
    }

    /** As servers do that tell of their timeout before they close (RFC 9110 §15.5.9). */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void aRequestTimeoutOnAnIdleConnectionIsNotAResponse(ServerWire wire) throws Exception {
        String farewell = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        saysWhileIdle(wire, farewell, 2);
        for (Operation operation : new Operation[] {GET, POST}) {
            // It crosses with a request that the server doesn't read.
            Script crossing = peer -> {
                peer.awaitUnread();
                peer.write(farewell);
                peer.reset();
            };
            Seen seen = second(wire, operation, PAUSE, crossing);

            assertThat(seen.second.resent()).isZero();
            assertThat(seen.second.outcome()).isEqualTo(new Outcome.HttpFailure(408));

            Seen again = second(wire, ServerWire::resendingUser, operation, PAUSE, crossing);

            assertThat(again.second.resent()).isEqualTo(operation == GET ? 1 : 0);
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

    private static void saysWhileIdle(ServerWire wire, String text, int connections) throws Exception {
        CountDownLatch firstRead = new CountDownLatch(1);
        CountDownLatch said = new CountDownLatch(1);
        Script script = peer -> {
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
        Script script = peer -> {
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
    private static Seen second(ServerWire wire, Operation operation, Duration pause, Script then) throws Exception {
        return second(wire, ServerWire::user, operation, pause, then);
    }

    private static Seen second(
            ServerWire wire, Function<URI, OneUser> made, Operation operation, Duration pause, Script then)
            throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            then.play(peer);
        };
        try (MisbehavingServer server = wire.start(certificate, script, Script.BEHAVE);
                OneUser user = made.apply(server.uri())) {
            assertThat(user.send(operation).outcome()).isEqualTo(Outcome.SUCCESS);
            if (!pause.isZero()) {
                Thread.sleep(pause.toMillis());
            }
            Exchange second = user.send(operation);
            return new Seen(second, server.requests().size(), server.connections());
        }
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
