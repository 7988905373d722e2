package io.phaseload.events.shared;

import static io.phaseload.events.shared.SharedClient.join;
import static io.phaseload.events.shared.SharedClient.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.check.Check;
import io.phaseload.timing.InstanceState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and responses as HTTP/2 carries them. */
@Timeout(60)
class Http2MessagesTest {

    private static final Operation GET = Operation.get("/");

    @Test
    void requestsAreTranslated() {
        List<Http2Server.Request> seen = new ArrayList<>();
        Http2Settings settings = Http2Settings.defaultSettings().maxHeaderListSize(100_000);
        try (Http2Server server = new Http2Server(settings, true, request -> {
                    seen.add(request);
                    request.answer();
                });
                SharedClient client = new SharedClient(server, 1)) {
            Operation put = new Operation(
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
            assertThat(first.headers().names().toString()).doesNotContain("host", "connection", "x-hop", "te,", "te]");
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
                SharedClient client = new SharedClient(server, 2)) {
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
        }
    }

    @Test
    void everyLegalFormOfAResponseIsRead() {
        Operation checked = GET.withChecks(new Check.BodyCheck("\0".repeat(5), false));
        try (Http2Server server = new Http2Server(request -> {
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
                SharedClient client = new SharedClient(server, 1)) {
            for (int i = 0; i < 3; i++) {
                Exchange exchange = client.exchange(checked);

                assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(exchange.instance()).isEqualTo(InstanceState.COLD);
            }
            assertThat(server.pings()).containsSubsequence(42L, 42L);
        }
    }

    /** Its first 200 bytes, from the first one on; the first KiB of a body that a check refused. */
    @Test
    void aFailedResponseIsQuoted() {
        String text = "the server is älive, but ".repeat(20);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String quoted = new String(bytes, 0, 200, StandardCharsets.UTF_8);
        try (Http2Server server = new Http2Server(request -> request.answer(503, text));
                SharedClient client = new SharedClient(server, 2)) {
            for (int i = 0; i < 2; i++) {
                assertThat(outcomes(client.sendAll(GET))).containsOnly(new Outcome.HttpFailure(503, quoted));
            }
            Check unavailable = new Check.StatusIs(503);
            assertThat(client.exchange(GET.withChecks(unavailable)).outcome()).isEqualTo(Outcome.SUCCESS);
            Check dead = new Check.BodyCheck("dead", false);
            assertThat(client.exchange(GET.withChecks(unavailable, dead)).outcome())
                    .isEqualTo(new Outcome.CheckFailure(Cause.of("check body~'dead'"), text.strip()));
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aResponseToHeadHasNoBodyDespiteItsLength() {
        try (Http2Server server = new Http2Server(request ->
                        request.head(new DefaultHttp2Headers().status("200").set("content-length", "5"), true));
                SharedClient client = new SharedClient(server, 1)) {
            assertThat(client.exchange(Operation.of("HEAD", "/")).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(client.exchange(GET).outcome())
                    .isEqualTo(new Outcome.MalformedResponse("less body than Content-Length says"));
            assertThat(client.exchange(Operation.of("HEAD", "/")).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** The first windows are smaller than these bodies, so that the client has to wait for more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16_384, 65_535, 65_536, 3_000_000})
    void bodiesWaitForTheServersWindows(int length) {
        Http2Settings settings = Http2Settings.defaultSettings().initialWindowSize(20_000);
        List<Long> lengths = new ArrayList<>();
        try (Http2Server server = new Http2Server(settings, true, request -> {
                    lengths.add(request.bodyBytes());
                    request.answer();
                });
                SharedClient client = new SharedClient(server, 3)) {
            Operation post = Operation.post("/", Body.ofBytes(new byte[length]));

            assertThat(outcomes(client.sendAll(post))).containsOnly(Outcome.SUCCESS);
            assertThat(lengths).containsOnly((long) length).hasSize(3);
        }
    }

    /** More than the client's windows, which it has to widen. */
    @Test
    void largeResponsesAreReadToTheirEnd() {
        int length = 24 << 20;
        try (Http2Server server = new Http2Server(request -> request.answer(200, length));
                SharedClient client = new SharedClient(server, 2)) {
            List<Exchange> exchanges = join(client.sendAll(GET));

            assertThat(exchanges).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(exchanges)
                    .allSatisfy(exchange -> assertThat(exchange.bytesReceived()).isGreaterThan(length));
        }
    }
}
