package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.CountingServer;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that don't keep to HTTP/2, or don't speak it. */
@Timeout(60)
class Http2MalformedTest {

    private static final Operation GET = Operation.get("/");

    private static final String SETTINGS = "000000 04 00 00000000";
    private static final String NO_STREAMS = "000006 04 00 00000000 000300000000";
    private static final String GOODBYE = "000008 07 00 00000000 7fffffff00000000";
    private static final String WIDE = "000004 08 00 00000000 7fff0000";
    private static final String WIDE_STREAMS = "000006 04 00 00000000 00047fffffff";
    private static final String NARROW_STREAMS = "000006 04 00 00000000 000400000000";
    private static final Outcome TOO_MANY = new Outcome.MalformedResponse("more than 100000 frames without progress");
    private static final String OK = "000001 01 05 0000000%d 88";
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int END_STREAM = 1;
    private static final int GOAWAY = 7;

    /** What a server says to two requests, which is the end of the connection for both. */
    @ParameterizedTest
    @CsvSource({
        "000001 05 04 00000001 00, PROTOCOL_ERROR, PUSH_PROMISE",
        "004001 01 04 00000001, FRAME_SIZE_ERROR, a frame of 16385 bytes",
        "000001 01 04 00000000 88, PROTOCOL_ERROR, a frame of type 1 for stream 0",
        "000001 01 04 00000009 88, PROTOCOL_ERROR, 'a frame for stream 9, which was never opened'",
        "000001 00 00 00000002 00, PROTOCOL_ERROR, 'a frame for stream 2, which was never opened'",
        "000001 01 00 00000001 88 000000 00 00 00000001, PROTOCOL_ERROR, another frame within a" + " header",
        "000001 09 04 00000001 88, PROTOCOL_ERROR, CONTINUATION of nothing",
        "000001 01 04 00000001 ff, COMPRESSION_ERROR, a truncated header block",
        "000002 01 0c 00000001 02 88, PROTOCOL_ERROR, more padding than frame",
        "000001 00 08 00000001 01, PROTOCOL_ERROR, more padding than frame",
        "000005 04 00 00000000 0000000000, FRAME_SIZE_ERROR, a frame of type 4 with a wrong" + " length",
        "000006 04 00 00000000 000480000000, FLOW_CONTROL_ERROR, a window of 2147483648",
        "000006 04 00 00000000 000200000001, PROTOCOL_ERROR, ENABLE_PUSH of 1",
        "000006 04 00 00000000 000200000002, PROTOCOL_ERROR, ENABLE_PUSH of 2",
        "000006 04 00 00000000 000500003fff, PROTOCOL_ERROR, MAX_FRAME_SIZE of 16383",
        "000006 04 00 00000000 000501000000, PROTOCOL_ERROR, MAX_FRAME_SIZE of 16777216",
        "000005 02 00 00000000 0000000000, PROTOCOL_ERROR, a frame of type 2 for stream 0",
        "000004 02 00 00000001 00000000, FRAME_SIZE_ERROR, a frame of type 2 with a wrong length",
        "000003 03 00 00000001 000000, FRAME_SIZE_ERROR, a frame of type 3 with a wrong length",
        "000007 06 00 00000000 00000000000000, FRAME_SIZE_ERROR, a frame of type 6 with a wrong" + " length",
        "000004 08 00 00000000 00000000, PROTOCOL_ERROR, WINDOW_UPDATE of 0",
        "000004 08 00 00000000 7fffffff, FLOW_CONTROL_ERROR, WINDOW_UPDATE of 2147483647",
    })
    void aBrokenFrameEndsTheConnection(String frames, String code, String reason) throws Exception {
        try (RawServer server = new RawServer(2, frames);
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.sendAll(GET))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .containsOnly(new Outcome.MalformedResponse(reason));
            assertThat(server.awaitCode(GOAWAY)).isEqualTo(code);
        }
    }

    /** What a server says to a request, and well after it. */
    @ParameterizedTest
    @CsvSource({
        "000000 01 05 00000001, a header without :status",
        "000000 00 01 00000001, a body before its header",
        "000002 01 04 00000001 8888, an invalid :status",
        "000005 01 04 00000001 0803313031, status 101",
        "000001 01 04 00000001 88 000001 01 04 00000001 88, a second header",
        "000004 01 04 00000001 885c0131 000002 00 00 00000001 6162, more body than Content-Length" + " says",
        "000004 01 04 00000001 885c0132 000001 00 01 00000001 61, less body than Content-Length" + " says",
        "000004 01 05 00000001 885c0178, Invalid Content-Length",
        "000006 01 05 00000001 880001780100, an invalid header value",
        "000007 01 05 00000001 880001780220 61, an invalid header value",
        "000008 01 05 00000001 880003783a780161, an invalid header name",
    })
    void aBrokenMessageEndsItsStream(String frames, String reason) throws Exception {
        try (RawServer server = new RawServer(1, frames);
                SharedClient client = new SharedClient(Target.of(server.uri()), 1)) {
            assertThat(client.exchange(GET).outcome()).isEqualTo(new Outcome.MalformedResponse(reason));
            assertThat(server.awaitCode(RST_STREAM)).isEqualTo("PROTOCOL_ERROR");
        }
    }

    /** A response may begin before; the second request gets nothing but these. */
    @ParameterizedTest
    @CsvSource({
        "PING, 000008 06 00 00000000 0011223344556677",
        "RST_STREAM of a stream that is over, 000004 03 00 00000001 00000008",
        "empty DATA, 000000 00 00 00000001",
        "PRIORITY, 000005 02 00 00000001 0000000010",
        "SETTINGS, 000000 04 00 00000000",
        "WINDOW_UPDATE, 000004 08 00 00000000 00000001",
        "GOAWAY, 000008 07 00 00000000 7fffffff00000000",
        "interim responses, 000005 01 04 00000003 0803313033",
        "unknown frames, 000000 77 00 00000000",
    })
    void aFloodEndsTheConnection(String what, String frame) throws Exception {
        try (RawServer server = new RawServer(2, flood(frame));
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.sendAll(GET))
                    .as(what)
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .contains(TOO_MANY);
            assertThat(server.awaitCode(GOAWAY)).as(what).isEqualTo("ENHANCE_YOUR_CALM");
        }
    }

    /** A response's header without end has a lower limit. */
    @Test
    void aFloodOfContinuationsEndsTheConnection() throws Exception {
        String header = "000001 01 00 00000001 88" + "000000 09 00 00000001".repeat(1_000);
        try (RawServer server = new RawServer(2, header);
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.sendAll(GET))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .contains(new Outcome.MalformedResponse("Maximum header length exceeded"));
            assertThat(server.awaitCode(GOAWAY)).isEqualTo("ENHANCE_YOUR_CALM");
        }
    }

    /** The server takes nothing of a body, but enlarges the connection's window again and again. */
    @Test
    void aWindowThatLetsNothingPassIsNoProgress() throws Exception {
        try (RawServer server = new RawServer(2, flood("000004 08 00 00000000 00000001"), false, NARROW_STREAMS);
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.sendAll(Operation.post("/", Body.ofBytes(new byte[10]))))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .contains(TOO_MANY);
            assertThat(server.awaitCode(GOAWAY)).isEqualTo("ENHANCE_YOUR_CALM");
            assertThat(server.bodyBytes()).isZero();
        }
    }

    /** Byte by byte, a window lets a body pass; then the server answers. */
    @Test
    void aWindowThatLetsBytesPassIsProgress() throws Exception {
        int length = ProgressBudget.PIECES + 10;
        String windows = "000004 08 00 00000001 00000001".repeat(length);
        try (RawServer server = new RawServer(1, WIDE + windows, false, NARROW_STREAMS);
                SharedClient client = new SharedClient(Target.of(server.uri()), 1)) {
            Operation post = Operation.post("/", Body.ofBytes(new byte[length]));
            assertThat(client.exchange(post).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.bodyBytes()).isEqualTo(length);
        }
    }

    private static String flood(String frame) {
        return frame.repeat(ProgressBudget.PIECES + 2);
    }

    /** Also in pieces of one byte, and with frames in between that aren't known or don't matter. */
    @Test
    void aResponseMayArriveInAnyPieces() throws Exception {
        String frames = "000004 01 0c 00000001 02 88 0000"
                + "000003 ff ff 00000001 010203"
                + "000005 02 00 00000001 0000000000"
                + "000000 04 01 00000000"
                + "000004 00 09 00000001 01 61 62 00";
        try (RawServer server = new RawServer(1, frames, true);
                SharedClient client = new SharedClient(Target.of(server.uri()), 1)) {
            Exchange exchange = client.exchange(GET);

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.bytesReceived()).isEqualTo(2 * (9 + 4));
        }
    }

    @Test
    void anHttp1ServerIsReported() {
        try (CountingServer server = CountingServer.start();
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.sendAll(GET))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .allSatisfy(outcome -> {
                        assertThat(outcome.cause().key()).isEqualTo("no http/2");
                        assertThat(outcome.detail()).startsWith("the server said HTTP/1.1 4");
                    });
            assertThat(server.requests()).isZero();
        }
    }

    /** It would close each connection that is opened, and none would be sent anything. */
    @Test
    void aGoawayRightAwayIsNotRetried() throws Exception {
        try (RawServer server = new RawServer(1, "", false, NO_STREAMS + GOODBYE);
                SharedClient client = new SharedClient(Target.of(server.uri()), 2)) {
            assertThat(client.sendAll(GET))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .containsOnly(SharedFailure.ended("goaway", "NO_ERROR"));
        }
    }

    @Test
    void aServerThatAllowsNoStreamsTimesOut() throws Exception {
        try (RawServer server = new RawServer(1, "", false, NO_STREAMS)) {
            Target target = new Target(server.uri(), List.of(), Duration.ofSeconds(5), Duration.ofMillis(200), false);
            try (SharedClient client = new SharedClient(target, 2)) {
                assertThat(client.sendAll(GET))
                        .extracting(CompletableFuture::join)
                        .extracting(Exchange::outcome)
                        .containsOnly(Outcome.NoResponse.READ_TIMEOUT);
            }
        }
    }

    /** Its windows allow more than the system takes at once. */
    @Test
    void aLargeBodyWaitsForTheSystem() throws Exception {
        byte[] body = new byte[10 << 20];
        try (RawServer server = new RawServer(0, "", false, SETTINGS + WIDE + WIDE_STREAMS);
                SharedClient client = new SharedClient(Target.of(server.uri()), 3)) {
            assertThat(client.sendAll(Operation.post("/", Body.ofBytes(body))))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .containsOnly(Outcome.SUCCESS);
            assertThat(server.bodyBytes()).isEqualTo(3L * body.length);
        }
    }

    /** It accepts, and says nothing. */
    @Test
    void settingsCountAsConnecting() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Target target = new Target(
                    URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                    List.of(),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(30),
                    false);
            try (SharedClient client = new SharedClient(target, 2)) {
                assertThat(client.sendAll(GET))
                        .extracting(CompletableFuture::join)
                        .extracting(Exchange::outcome)
                        .containsOnly(Outcome.NoResponse.CONNECT_TIMEOUT);
            }
        }
    }

    /** However late the client comes to look. */
    @Test
    void aTimeoutWithoutSettingsEndsAtItsLimit() throws Exception {
        Duration limit = Duration.ofSeconds(30);
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            Target target = new Target(uri, List.of(), limit, limit, false);
            try (SharedClient client = new SharedClient(target, 1)) {
                CompletableFuture<Exchange> answer = client.send(GET, 0).get(0);
                try (Socket accepted = silent.accept()) {
                    assertThat(accepted.getInputStream().read()).isEqualTo('P');
                    client.expireAfter(limit.multipliedBy(2));
                }

                Exchange exchange = answer.join();
                assertThat(exchange.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_TIMEOUT);
                assertThat(Duration.ofNanos(exchange.endNanos() - exchange.sentNanos()))
                        .isBetween(limit, limit.plusSeconds(10));
            }
        }
    }

    @Test
    void aConnectionThatEndsBeforeItsSettingsIsAReset() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(peer -> peer.readRequest());
                SharedClient client = new SharedClient(Target.of(server.uri()), 1)) {
            assertThat(client.exchange(GET).outcome())
                    .isEqualTo(new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
        }
    }

    @Test
    void aClosedPortRefuses() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        Target target = Target.of(URI.create("http://127.0.0.1:" + port));
        try (SharedClient client = new SharedClient(target, 3)) {
            assertThat(client.sendAll(GET))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .containsOnly(Outcome.NoResponse.CONNECT_REFUSED);
        }
    }

    /** Takes one connection, and says what it is told to say after some requests. */
    private static final class RawServer implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        private final CompletableFuture<String> goAway = new CompletableFuture<>();
        private final CompletableFuture<String> reset = new CompletableFuture<>();
        private final int requests;
        private final byte[] frames;
        private final byte[] first;
        private final AtomicLong bodyBytes = new AtomicLong();
        private final boolean byBytes;
        private final Thread thread = new Thread(this::serve, "raw-http2");

        RawServer(int requests, String frames) throws IOException {
            this(requests, frames, false);
        }

        RawServer(int requests, String frames, boolean byBytes) throws IOException {
            this(requests, frames, byBytes, SETTINGS);
        }

        RawServer(int requests, String frames, boolean byBytes, String first) throws IOException {
            this.first = bytes(first);
            this.requests = requests;
            this.frames = bytes(frames);
            this.byBytes = byBytes;
            thread.start();
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + listening.getLocalPort());
        }

        String awaitCode(int type) {
            return (type == GOAWAY ? goAway : reset).join();
        }

        /** How much of bodies came before the last answer. */
        long bodyBytes() {
            return bodyBytes.get();
        }

        private static byte[] bytes(String hex) {
            return HexFormat.of().parseHex(hex.replace(" ", ""));
        }

        private void serve() {
            try (Socket socket = listening.accept()) {
                socket.setTcpNoDelay(true);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.readNBytes(24);
                socket.getOutputStream().write(first);
                int seen = 0;
                while (true) {
                    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                    int type = in.readUnsignedByte();
                    int flags = in.readUnsignedByte();
                    int stream = in.readInt();
                    byte[] payload = in.readNBytes(length);
                    if (type == HEADERS && ++seen == requests) {
                        say(socket);
                    } else if (type == DATA) {
                        bodyBytes.addAndGet(length);
                        if (flags == END_STREAM) {
                            socket.getOutputStream().write(bytes(OK.formatted(stream)));
                        }
                    } else if (type == GOAWAY) {
                        goAway.complete(Http2Error.name(payload[7]));
                    } else if (type == RST_STREAM) {
                        reset.complete(Http2Error.name(payload[3]));
                    }
                }
            } catch (IOException e) {
                goAway.complete("none: " + e);
                reset.complete("none: " + e);
            }
        }

        private void say(Socket socket) throws IOException {
            int step = byBytes ? 1 : frames.length;
            for (int at = 0; at < frames.length; at += step) {
                socket.getOutputStream().write(frames, at, step);
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            listening.close();
            thread.join();
        }
    }
}
