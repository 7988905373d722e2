package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.InstanceState;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.check.Check;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who share a connection, and what a server may do to them. */
@Timeout(60)
class Http2ConnectionTest {

    private static final Operation GET = Operation.get("/");

    private static Http2Client client(Http2Server server, int users) {
        return new Http2Client(at(server, Duration.ofSeconds(30)), users);
    }

    private static List<Exchange> join(List<CompletableFuture<Exchange>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static List<Outcome> outcomes(List<CompletableFuture<Exchange>> answers) {
        return join(answers).stream().map(Exchange::outcome).toList();
    }

    @Test
    void theFirstRequestHasTheConnectionsTimings() {
        try (Http2Server server = new Http2Server(Http2Server.Request::answer);
                Http2Client client = client(server, 3)) {
            List<Exchange> first = join(client.sendAll(GET));
            List<Exchange> second = join(client.sendAll(GET));

            assertThat(first).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(first).filteredOn(exchange -> exchange.setUp() != null).hasSize(1);
            assertThat(second).filteredOn(exchange -> exchange.setUp() != null).isEmpty();
            // Two frames' headers, their content, and at least :status and a length.
            assertThat(second.get(0).bytesReceived()).isGreaterThanOrEqualTo(9 + 2 + 9 + 2);
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).isEqualTo(6);
        }
    }

    @Test
    void requestsAreTranslated() {
        List<Http2Server.Request> seen = new ArrayList<>();
        Http2Settings settings = Http2Settings.defaultSettings().maxHeaderListSize(100_000);
        try (Http2Server server =
                        new Http2Server(
                                settings,
                                true,
                                request -> {
                                    seen.add(request);
                                    request.answer();
                                });
                Http2Client client = client(server, 1)) {
            Operation put =
                    new Operation(
                            "put",
                            "PUT",
                            "/items/1?a=b",
                            List.of(
                                    new Header("Host", "other:81"),
                                    new Header("Connection", "close, X-Hop"),
                                    new Header("X-Hop", "1"),
                                    new Header("TE", "gzip"),
                                    new Header("Authorization", "secret"),
                                    new Header("X-Long", "x".repeat(40_000))),
                            Optional.of(Body.ofText("hello")),
                            List.of());

            assertThat(client.exchange(put).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            Http2Server.Request first = seen.get(0);
            assertThat(first.header(":method")).isEqualTo("PUT");
            assertThat(first.header(":scheme")).isEqualTo("http");
            assertThat(first.header(":path")).isEqualTo("/items/1?a=b");
            assertThat(first.header(":authority")).isEqualTo("other:81");
            assertThat(first.header("content-length")).isEqualTo("5");
            assertThat(first.header("authorization")).isEqualTo("secret");
            assertThat(first.header("x-long")).hasSize(40_000);
            assertThat(first.headers().names().toString())
                    .doesNotContain("host", "connection", "x-hop", "te,", "te]");
            assertThat(first.bodyBytes()).isEqualTo(5);
            assertThat(seen.get(1).header(":path")).isEqualTo("/");
            assertThat(seen.get(1).header(":authority")).startsWith("127.0.0.1:");
        }
    }

    /** A server whose table of headers is smaller must be told that it isn't used. */
    @Test
    void aServerMayHaveNoHeaderTable() {
        Http2Settings settings = Http2Settings.defaultSettings().headerTableSize(0);
        try (Http2Server server = new Http2Server(settings, true, Http2Server.Request::answer);
                Http2Client client = client(server, 2)) {
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
        }
    }

    @Test
    void everyLegalFormOfAResponseIsRead() {
        Operation checked = GET.withChecks(new Check.BodyContains("\0".repeat(5)));
        try (Http2Server server =
                        new Http2Server(
                                request -> {
                                    request.head(new DefaultHttp2Headers().status("103"), false);
                                    request.ping(42);
                                    request.head(
                                            new DefaultHttp2Headers()
                                                    .status("200")
                                                    .set("phaseload-start", "cold; 1 ms")
                                                    .set("x-large", "y".repeat(50_000)),
                                            false);
                                    request.data(3, 200, false);
                                    request.data(0, 0, false);
                                    request.data(2, 0, false);
                                    request.head(new DefaultHttp2Headers().set("x", "y"), true);
                                });
                Http2Client client = client(server, 1)) {
            for (int i = 0; i < 3; i++) {
                Exchange exchange = client.exchange(checked);

                assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(exchange.instance()).isEqualTo(InstanceState.COLD);
            }
            assertThat(server.pings()).containsSubsequence(42L, 42L);
        }
    }

    /** Its first 200 bytes, from the first one on. */
    @Test
    void aFailedResponseIsQuoted() {
        String text = "the server is älive, but ".repeat(20);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String quoted = new String(bytes, 0, 200, StandardCharsets.UTF_8);
        try (Http2Server server = new Http2Server(request -> request.answer(503, text));
                Http2Client client = client(server, 2)) {
            for (int i = 0; i < 2; i++) {
                assertThat(outcomes(client.sendAll(GET)))
                        .containsOnly(new Outcome.HttpFailure(503, quoted));
            }
            Check unavailable = new Check.StatusIs(503);
            assertThat(client.exchange(GET.withChecks(unavailable)).outcome())
                    .isEqualTo(Outcome.SUCCESS);
            Check dead = new Check.BodyContains("dead");
            assertThat(client.exchange(GET.withChecks(unavailable, dead)).outcome())
                    .isEqualTo(new Outcome.CheckFailure("body~'dead'", quoted));
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aResponseToHeadHasNoBodyDespiteItsLength() {
        try (Http2Server server =
                        new Http2Server(
                                request ->
                                        request.head(
                                                new DefaultHttp2Headers()
                                                        .status("200")
                                                        .set("content-length", "5"),
                                                true));
                Http2Client client = client(server, 1)) {
            assertThat(client.exchange(Operation.of("HEAD", "/")).outcome())
                    .isEqualTo(Outcome.SUCCESS);
            assertThat(client.exchange(GET).outcome())
                    .isEqualTo(new Outcome.MalformedResponse("less body than Content-Length says"));
            assertThat(client.exchange(Operation.of("HEAD", "/")).outcome())
                    .isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void noMoreStreamsAreOpenedThanTheServerAllows() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        BlockingQueue<Http2Server.Request> held = new LinkedBlockingQueue<>();
        try (Http2Server server = new Http2Server(settings, true, held::add);
                Http2Client client = client(server, 5)) {
            List<CompletableFuture<Exchange>> answers = client.sendAll(GET);
            for (int i = 0; i < 5; i++) {
                Http2Server.Request request = held.take();
                server.execute(request::answer);
            }

            assertThat(outcomes(answers)).containsOnly(Outcome.SUCCESS);
            assertThat(server.mostAtOnce()).isEqualTo(2);
            assertThat(server.connections()).isEqualTo(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first windows are smaller than these bodies, so that the client has to wait for more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16_384, 65_535, 65_536, 3_000_000})
    void bodiesWaitForTheServersWindows(int length) {
        Http2Settings settings = Http2Settings.defaultSettings().initialWindowSize(20_000);
        List<Long> lengths = new ArrayList<>();
        try (Http2Server server =
                        new Http2Server(
                                settings,
                                true,
                                request -> {
                                    lengths.add(request.bodyBytes());
                                    request.answer();
                                });
                Http2Client client = client(server, 3)) {
            Operation post = Operation.post("/", Body.ofBytes(new byte[length]));

            assertThat(outcomes(client.sendAll(post))).containsOnly(Outcome.SUCCESS);
            assertThat(lengths).containsOnly((long) length).hasSize(3);
        }
    }

    @Test
    void aBodyThatTheServerDoesNotReadTimesOut() {
        try (Http2Server server =
                        new Http2Server(
                                Http2Settings.defaultSettings(),
                                false,
                                Http2Server.Request::answer);
                Http2Client client = new Http2Client(at(server, Duration.ofSeconds(2)), 1)) {
            Operation large = Operation.post("/", Body.ofBytes(new byte[100_000]));

            assertThat(client.exchange(large).outcome()).isEqualTo(new Outcome.ReadTimeout());
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.resets()).containsExactly(Http2Error.CANCEL.code());
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** More than the client's windows, which it has to widen. */
    @Test
    void largeResponsesAreReadToTheirEnd() {
        int length = 24 << 20;
        try (Http2Server server = new Http2Server(request -> request.answer(200, length));
                Http2Client client = client(server, 2)) {
            List<Exchange> exchanges = join(client.sendAll(GET));

            assertThat(exchanges).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(exchanges)
                    .allSatisfy(
                            exchange -> assertThat(exchange.bytesReceived()).isGreaterThan(length));
        }
    }

    @Test
    void aTimeoutEndsItsStreamAndKeepsTheConnection() {
        try (Http2Server server =
                        new Http2Server(
                                request -> {
                                    if (request.number() != 1) {
                                        request.answer();
                                    }
                                });
                Http2Client client = new Http2Client(at(server, Duration.ofSeconds(2)), 2)) {
            List<CompletableFuture<Exchange>> answers = client.sendAll(GET);

            assertThat(outcomes(answers))
                    .containsExactlyInAnyOrder(new Outcome.ReadTimeout(), Outcome.SUCCESS);
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
            assertThat(server.resets()).containsExactly(Http2Error.CANCEL.code());
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aResetStreamFailsWithItsCode() {
        try (Http2Server server =
                        new Http2Server(
                                request -> {
                                    if (request.number() == 2) {
                                        request.reset(Http2Error.REFUSED_STREAM);
                                    } else {
                                        request.answer();
                                    }
                                });
                Http2Client client = client(server, 3)) {
            assertThat(outcomes(client.sendAll(GET)))
                    .containsExactly(
                            Outcome.SUCCESS,
                            new Outcome.Http2Failure("stream reset", "REFUSED_STREAM"),
                            Outcome.SUCCESS);
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** Of three requests in flight the server has looked at one. */
    @Test
    void requestsThatAGoawayExcludesAreSentAgain() {
        List<Http2Server.Request> held = new ArrayList<>();
        try (Http2Server server =
                        new Http2Server(
                                request -> {
                                    if (request.number() <= 3) {
                                        held.add(request);
                                        if (held.size() == 3) {
                                            request.goAway(1, Http2Error.NO_ERROR);
                                            held.get(0).answer();
                                        }
                                    } else {
                                        request.answer();
                                    }
                                });
                Http2Client client = client(server, 3)) {
            List<Exchange> exchanges = join(client.sendAll(GET));

            assertThat(exchanges).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(exchanges)
                    .extracting(Exchange::reconnected)
                    .containsExactly(false, true, false);
            assertThat(server.connections()).isEqualTo(2);
            assertThat(server.requests()).isEqualTo(5);
        }
    }

    @Test
    void twoConnectionsWithoutARequestReadAreEnough() {
        try (Http2Server server =
                        new Http2Server(
                                request -> request.goAway(0, Http2Error.ENHANCE_YOUR_CALM));
                Http2Client client = client(server, 1)) {
            assertThat(client.exchange(GET).outcome())
                    .isEqualTo(new Outcome.Http2Failure("goaway", "ENHANCE_YOUR_CALM"));
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aLostConnectionFailsEachRequestOnItOnce() {
        List<Http2Server.Request> held = new ArrayList<>();
        try (Http2Server server =
                        new Http2Server(
                                request -> {
                                    held.add(request);
                                    if (held.size() == 4) {
                                        held.get(0).head(status200(), false);
                                        request.closeConnection();
                                    } else if (held.size() > 4) {
                                        request.answer();
                                    }
                                });
                Http2Client client = client(server, 4)) {
            assertThat(outcomes(client.sendAll(GET)))
                    .containsExactly(
                            new Outcome.Reset(Outcome.Reset.Stage.IN_BODY),
                            new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE),
                            new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE),
                            new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
            assertThat(server.requests()).isEqualTo(8);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aStopEndsRequestsInFlight() {
        BlockingQueue<Http2Server.Request> held = new LinkedBlockingQueue<>();
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        try (Http2Server server = new Http2Server(settings, true, held::add);
                Http2Client client = client(server, 3)) {
            List<CompletableFuture<Exchange>> answers = client.sendAll(GET);
            IntStream.range(0, 2).forEach(i -> take(held));
            client.abandonAfter(0);

            assertThat(outcomes(answers)).containsOnly(Outcome.ClientFault.stopped());
        }
    }

    private static void take(BlockingQueue<Http2Server.Request> held) {
        try {
            held.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DefaultHttp2Headers status200() {
        DefaultHttp2Headers head = new DefaultHttp2Headers();
        head.status("200");
        return head;
    }

    private static Target at(Http2Server server, Duration timeout) {
        return new Target(server.uri(), List.of(), Target.DEFAULT_TIMEOUT, timeout, false);
    }
}
