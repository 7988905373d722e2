package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.http.TestCertificate;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.Timing;
import io.phaseload.websocket.FrameServer.Frame;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What servers answer: each plan has one connection, which sends a message and gets it back. */
@Timeout(30)
class PeerTest {

    private static final String NONE = "";

    @Test
    void aTrustedCertificateIsEnoughAndAnotherIsRefused(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost", folder);
        Path authority = Files.writeString(folder.resolve("ca.pem"), certificate.certificatePem());
        TlsFiles trusting = new TlsFiles(Optional.of(authority), Optional.empty(), Optional.empty());
        try (FrameServer server =
                new FrameServer(certificate.server().getServerSocketFactory(), NONE, FrameServer.ECHO)) {
            URI url = server.url("wss");
            Figures trusted = run(plan(url, List.of(), false).tlsFiles(trusting));
            assertThat(trusted.failures()).isEmpty();
            assertThat(trusted.succeeded()).isEqualTo(1);
            assertThat(trusted.time(Timing.TLS).samples()).isEqualTo(1);

            assertThat(run(plan(url, List.of(), false).insecure(true)).succeeded())
                    .isEqualTo(1);

            Figures refused = run(plan(url, List.of(), false));
            assertThat(refused.failures()).isEqualTo(Map.of("tls failure", 1L));
        }
    }

    @Test
    void theHandshakeAsksForWhatThePlanSays() throws Exception {
        try (FrameServer server = server("Sec-WebSocket-Protocol: v1.chat\r\n", FrameServer.ECHO)) {
            Figures figures = run(plan(server.url("ws"), List.of("v2.chat", "v1.chat"), false)
                    .header(new Header("Cookie", "a=b; c=d"))
                    .header(new Header("X-Room", "7")));
            assertThat(figures.succeeded()).isEqualTo(1);
            assertThat(server.head())
                    .startsWith("GET /0 HTTP/1.1\r\n")
                    .containsIgnoringCase("\r\nCookie: a=b; c=d\r\n")
                    .containsIgnoringCase("\r\nX-Room: 7\r\n")
                    .containsIgnoringCase("\r\nSec-WebSocket-Protocol: v2.chat,v1.chat\r\n")
                    .doesNotContainIgnoringCase("Sec-WebSocket-Extensions");
        }
    }

    @Test
    void messagesAreCompressedIfTheServerAgrees() throws Exception {
        try (FrameServer server = server("Sec-WebSocket-Extensions: permessage-deflate\r\n", FrameServer.ECHO)) {
            assertThat(run(plan(server.url("ws"), List.of(), true)).succeeded()).isEqualTo(1);
            // FIN, RSV1 and text.
            assertThat(server.firstByte()).isEqualTo(0xc1);
        }
        try (FrameServer server = server(NONE, FrameServer.ECHO)) {
            assertThat(run(plan(server.url("ws"), List.of(), true)).succeeded()).isEqualTo(1);
            assertThat(server.head()).containsIgnoringCase("permessage-deflate");
            assertThat(server.firstByte()).isEqualTo(0x81);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Neither another subprotocol than those that were asked for, nor none.
                "Sec-WebSocket-Protocol: v3.chat|malformed response",
                "X-Any: other|malformed response",
                "HTTP/1.1 403 Forbidden|http 403",
                "HTTP/1.1 200 OK|http 200",
                "HTTP/1.1 101 Switching Protocols|malformed response",
                "HTTP nonsense|malformed response"
            })
    void aServerThatDoesNotAgreeHasACause(String answer, String cause) throws Exception {
        String end = answer.startsWith("HTTP") ? "\r\nContent-Length: 0\r\n\r\n" : "\r\n";
        try (FrameServer server = server(answer + end, FrameServer.ECHO)) {
            assertThat(run(plan(server.url("ws"), List.of("v1.chat"), false)).failures())
                    .isEqualTo(Map.of(cause, 1L));
        }
    }

    @Test
    void fragmentsWithAPingInBetweenAreOneMessage() throws Exception {
        UnaryOperator<Frame> inHalves = message -> {
            byte[] all = message.payload();
            String first = hex(all, 0, 60);
            String rest = hex(all, 60, all.length);
            return Frame.raw("01 3c" + first + "89 01 2a" + "80 04" + rest);
        };
        try (FrameServer server = server(NONE, inHalves)) {
            assertThat(run(plan(server.url("ws"), List.of(), false)).succeeded())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "c1 00|protocol error|a reserved bit, or compressed without having agreed",
                "a1 00|protocol error|another reserved bit",
                "83 00|protocol error|a reserved opcode of data",
                "8b 00|protocol error|a reserved opcode of control",
                "81 80 01020304|protocol error|masked by the server",
                "80 00|protocol error|a continuation of nothing",
                "01 01 61 81 01 62|protocol error|a message within a fragmented one",
                "09 00 80 00|protocol error|a control frame in fragments",
                "89 7e 007e|protocol error|a control frame that is too long",
                "81 7f 8000000000000000|protocol error|a negative length",
                "81 7e 0001 61|protocol error|a length in more bytes than it takes",
                "81 02 c328|protocol error|text that isn't UTF-8",
                "01 01 c3 80 01 28|protocol error|text that isn't, in fragments",
                "88 01 03|protocol error|half a close code",
                "88 02 03e7|protocol error|close code 999",
                "88 02 03ed|protocol error|close code 1005, which is never sent",
                "88 03 03e8 ff|protocol error|a close reason that isn't UTF-8",
                "82 7f 0000000000100000|too long a message|one of 1 MiB",
                "88 00|closed 1005|closed without a code",
                "88 02 03e8|closed 1000|closed normally",
                "88 02 03f3|closed 1011|closed with a code of RFC 6455",
                "88 02 0fa1|closed 4001|closed with a code of its own",
                "end|closed 1006|a connection that ends"
            })
    void whatBreaksTheProtocolEndsTheConnectionWithACause(String bytes, String cause, String what) throws Exception {
        UnaryOperator<Frame> hostile = message -> bytes.equals("end") ? null : Frame.raw(bytes);
        try (FrameServer server = server(NONE, hostile)) {
            assertThat(run(plan(server.url("ws"), List.of(), false)).failures())
                    .as(what)
                    .isEqualTo(Map.of("lost: receiver " + cause, 1L));
        }
    }

    @ParameterizedTest
    @CsvSource({"pings, '', 89 00", "pongs, '', 8a 00", "empty messages, '', 82 00", "empty fragments, 02 00, 00 00"})
    void aFloodEndsTheConnection(String what, String first, String frame) throws Exception {
        Frame flood = Frame.raw(first + frame.repeat(ProgressBudget.PIECES + 10));
        try (FrameServer server = server(NONE, message -> flood)) {
            assertThat(run(plan(server.url("ws"), List.of(), false)).failures())
                    .as(what)
                    .containsOnlyKeys("lost: receiver more than 100000 frames without progress");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sec-WebSocket-Extensions: permessage-deflate|c1 03 ffffff|not compressed",
                "Sec-WebSocket-Extensions: permessage-deflate|a1 00|another reserved bit",
                "X-Any: other|c1 01 00|compressed without having agreed"
            })
    void compressionIsCheckedIfItWasAskedFor(String answer, String bytes, String what) throws Exception {
        try (FrameServer server = server(answer + "\r\n", message -> Frame.raw(bytes))) {
            assertThat(run(plan(server.url("ws"), List.of(), true)).failures())
                    .as(what)
                    .isEqualTo(Map.of("lost: receiver protocol error", 1L));
        }
    }

    private static String hex(byte[] bytes, int from, int to) {
        return HexFormat.of().formatHex(bytes, from, to);
    }

    private static FrameServer server(String more, UnaryOperator<Frame> answer) throws Exception {
        return new FrameServer(ServerSocketFactory.getDefault(), more, answer);
    }

    private static Figures run(PlanBuilder plan) {
        return ThreadsLoadClient.of(plan.build()).run().totals();
    }

    private static PlanBuilder plan(URI url, List<String> subprotocols, boolean compressed) {
        return Plan.builder(url)
                .threads(1)
                .engine(EngineSettings.builder("websocket")
                        .protocol(new Protocol.WebSocket(0, 64, subprotocols, compressed, Optional.empty()))
                        .build())
                .responseTimeout(Duration.ofSeconds(10))
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Iterations(1),
                        new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE)));
    }
}
