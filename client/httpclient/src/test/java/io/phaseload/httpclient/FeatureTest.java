package io.phaseload.httpclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.http.UserSender;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What HttpClient does by itself: only what is asked for, and each request of it is counted. */
@Timeout(60)
class FeatureTest {

    private static final Outcome RESET = new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE);

    private static HttpClientSettings with(int retries, Feature... features) {
        return new HttpClientSettings(
                HttpClientSettings.DEFAULT.pool(),
                HttpClientSettings.DEFAULT.leaseTimeout(),
                retries,
                Set.of(features),
                Access.OPEN);
    }

    private static final Script RESETS = peer -> {
        peer.readRequest();
        peer.reset();
    };

    @Test
    void aBrokenRequestIsSentAgainAsOftenAsAsked() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(RESETS, RESETS, Script.BEHAVE);
                Users users = Users.of(server.uri(), with(2))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.resent()).isEqualTo(2);
            assertThat(server.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void itIsNotSentMoreOften(int retries) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(RESETS, RESETS, Script.BEHAVE);
                Users users = Users.of(server.uri(), with(retries))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(RESET);
            assertThat(exchange.resent()).isEqualTo(retries);
            assertThat(server.requests()).hasSize(1 + retries);
        }
    }

    /** A response that nobody asked for isn't taken for that of the next request. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUnrequestedResponseIsNotTheNextOnes(boolean atOnce) throws Exception {
        Script twice = peer -> {
            peer.readRequest();
            peer.write(atOnce ? Peer.OK + Peer.OK : Peer.OK);
            if (!atOnce) {
                peer.pause(Duration.ofMillis(100));
                peer.write(Peer.OK);
            }
            peer.awaitHangUp();
        };
        Script refuses = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
        };
        try (MisbehavingServer server = MisbehavingServer.start(twice, refuses);
                Users users = Users.of(server.uri(), with(0));
                UserSender user = users.user()) {
            PreparedRequest request = users.request(Operation.get("/"));
            assertThat(user.exchange(request)).extracting("outcome").isEqualTo(Outcome.SUCCESS);
            if (!atOnce) {
                // The server's own pause has no end that could be waited for here.
                Thread.sleep(300);
            }

            Exchange second = (Exchange) user.exchange(request);

            assertThat(second.outcome().cause().key()).isEqualTo(atOnce ? "http 503" : "malformed response");
        }
    }

    @Test
    void whatIsNotIdempotentIsSentOnce() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(RESETS, Script.BEHAVE);
                Users users = Users.of(server.uri(), with(3))) {
            Exchange exchange = users.send(Operation.post("/", Body.ofText("x")));

            assertThat(exchange.outcome()).isEqualTo(RESET);
            assertThat(server.requests()).hasSize(1);
        }
    }

    /** A second later. */
    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void aBusyServerIsAskedAgainWhateverWasSent(int status) throws Exception {
        Script busy = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 %d Busy\r\nContent-Length: 0\r\n\r\n".formatted(status));
            Script.BEHAVE.play(peer);
        };
        try (MisbehavingServer server = MisbehavingServer.start(busy);
                Users users = Users.of(server.uri(), with(1))) {
            Exchange exchange = users.send(Operation.post("/", Body.ofText("x")));

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.resent()).isEqualTo(1);
            assertThat(exchange.endNanos() - exchange.sentNanos()).isGreaterThan(900_000_000);
            assertThat(server.requests()).hasSize(2);
        }
    }

    private static final Script REDIRECTS = peer -> {
        while (true) {
            boolean first = peer.readRequest().startsWith("GET / ");
            peer.write(first ? "HTTP/1.1 302 Found\r\nLocation: /next\r\n" + "Content-Length: 0\r\n\r\n" : Peer.OK);
        }
    };

    @Test
    void redirectsAreFollowedIfAsked() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(REDIRECTS);
                Users users = Users.of(server.uri(), with(0, Feature.FOLLOW_REDIRECTS))) {
            Exchange exchange = users.get();

            assertThat(exchange.status()).isEqualTo(200);
            assertThat(exchange.resent()).isEqualTo(1);
            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().get(1)).startsWith("GET /next ");
        }
    }

    @Test
    void redirectsAreResponsesOtherwise() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(REDIRECTS);
                Users users = Users.of(server.uri(), with(0))) {
            Exchange exchange = users.get();

            assertThat(exchange.status()).isEqualTo(302);
            assertThat(exchange.resent()).isZero();
            assertThat(server.requests()).hasSize(1);
        }
    }

    private static final Script SETS_A_COOKIE = peer -> {
        while (true) {
            peer.readRequest();
            peer.write("HTTP/1.1 204 No Content\r\nSet-Cookie: id=7; Path=/\r\n\r\n");
        }
    };

    @Test
    void cookiesAreEachUsersOwnIfAsked() throws Exception {
        List<Boolean> sent = cookiesSent(with(0, Feature.KEEP_COOKIES));

        assertThat(sent).containsExactly(false, true, false);
    }

    @Test
    void cookiesAreForgottenOtherwise() throws Exception {
        assertThat(cookiesSent(with(0))).containsExactly(false, false, false);
    }

    /** Two requests of one user, and one of another. */
    private static List<Boolean> cookiesSent(HttpClientSettings settings) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(SETS_A_COOKIE);
                Users users = Users.of(server.uri(), settings);
                UserSender one = users.user();
                UserSender other = users.user()) {
            PreparedRequest get = users.request(Operation.get("/"));
            one.exchange(get);
            one.exchange(get);
            other.exchange(get);
            return server.requests().stream()
                    .map(request -> request.contains("\r\nCookie: id=7\r\n"))
                    .toList();
        }
    }

    @Test
    void bodiesAreDecodedIfAsked() throws Exception {
        Operation checked = Operation.get("/").withChecks(new Check.BodyCheck("alive", false));
        try (MisbehavingServer server = MisbehavingServer.start(FeatureTest::zipped);
                Users users = Users.of(server.uri(), with(0, Feature.DECODE))) {
            Exchange exchange = users.send(checked);

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests().get(0).toLowerCase(Locale.ROOT)).contains("accept-encoding: gzip");
        }
    }

    @Test
    void bodiesAreAsTheyComeOtherwise() throws Exception {
        Operation checked = Operation.get("/").withChecks(new Check.BodyCheck("alive", false));
        try (MisbehavingServer server = MisbehavingServer.start(FeatureTest::zipped);
                Users users = Users.of(server.uri(), with(0))) {
            Exchange exchange = users.send(checked);

            assertThat(exchange.outcome()).isInstanceOf(Outcome.CheckFailure.class);
            assertThat(server.requests().get(0).toLowerCase(Locale.ROOT)).doesNotContain("accept-encoding");
        }
    }

    private static void zipped(Peer peer) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write("it is alive".getBytes(StandardCharsets.UTF_8));
        }
        peer.readRequest();
        peer.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(bytes.size(), bytes.toString(StandardCharsets.ISO_8859_1)));
        peer.awaitHangUp();
    }

    /** It says so before it is asked, so that nobody waits. */
    private static final Script CONTINUES = peer -> {
        peer.write("HTTP/1.1 100 Continue\r\n\r\n");
        peer.readRequest();
        peer.write(Peer.OK);
        peer.awaitHangUp();
    };

    @Test
    void aBodyWaitsForTheServerIfAsked() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(CONTINUES);
                Users users = Users.of(server.uri(), with(0, Feature.EXPECT_CONTINUE))) {
            Exchange exchange = users.send(Operation.post("/", Body.ofText("x")));

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests().get(0).toLowerCase(Locale.ROOT))
                    .contains("\r\nexpect: 100-continue\r\n")
                    .endsWith("\r\n\r\nx");
        }
    }

    @Test
    void whatIsSentIsWhatOurOwnClientSends() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                Users users = Users.of(server.uri(), with(0))) {
            users.send(Operation.post("/a|b?c=d%20e[1]", Body.ofText("x")));

            String authority = server.uri().getAuthority();
            assertThat(server.requests().get(0))
                    .startsWith("POST /a|b?c=d%20e[1] HTTP/1.1\r\n")
                    .contains("\r\nHost: " + authority + "\r\n")
                    .contains("\r\nUser-Agent: phaseload\r\n")
                    .contains("\r\nAccept: */*\r\n")
                    .contains("\r\nContent-Length: 1\r\n")
                    .contains("\r\nContent-Type: text/plain; charset=utf-8\r\n")
                    .doesNotContain("Upgrade")
                    .endsWith("\r\n\r\nx");
        }
    }
}
