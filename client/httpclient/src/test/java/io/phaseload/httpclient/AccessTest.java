package io.phaseload.httpclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.OneUser;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.http.TestCertificate;
import io.phaseload.http.TunnelProxy;
import io.phaseload.http.UserSender;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.HttpClientSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Challenges and proxies. */
@Timeout(60)
class AccessTest {

    private static final Optional<Credentials> ME = Optional.of(new Credentials("me", "secret"));

    private static HttpClientSettings with(
            Optional<Credentials> credentials, Optional<String> token, Optional<Proxy> proxy) {
        return HttpClientSettings.DEFAULT.with(new Access(credentials, token, proxy));
    }

    private static HttpClientSettings by(MisbehavingServer proxy, Optional<Credentials> user) {
        return by(proxy.port(), user);
    }

    private static HttpClientSettings by(int port, Optional<Credentials> user) {
        return with(
                Optional.empty(), Optional.empty(), Optional.of(new Proxy(Proxy.Kind.HTTP, "127.0.0.1", port, user)));
    }

    private static HttpClientSettings by(Proxy.Kind socks, int port) {
        return with(
                Optional.empty(), Optional.empty(), Optional.of(new Proxy(socks, "127.0.0.1", port, Optional.empty())));
    }

    /** Lets those in who answer. */
    private static Script challenging(String challenge, int status, String header) {
        return peer -> {
            while (true) {
                String request = peer.readRequest();
                peer.write(
                        request.contains("\r\n" + header + ": ")
                                ? Peer.OK
                                : "HTTP/1.1 %d No\r\n%s\r\nContent-Length: 0\r\n\r\n".formatted(status, challenge));
            }
        };
    }

    private static String answer(String request) {
        return request.lines()
                .filter(line -> line.startsWith("Authorization: "))
                .map(line -> line.substring("Authorization: ".length()))
                .findFirst()
                .orElse("none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Basic realm=\"r\"|Basic bWU6c2VjcmV0|0",
                "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"|Digest username=\"me\", realm=\"r\"|1",
                "Bearer realm=\"r\"|Bearer abc|0",
            })
    void aUserAnswersAChallenge(String challenge, String answer, int again) throws Exception {
        Script script = challenging("WWW-Authenticate: " + challenge, 401, "Authorization");
        HttpClientSettings settings = with(ME, Optional.of("abc"), Optional.empty());
        try (MisbehavingServer server = MisbehavingServer.start(script);
                Users users = Users.of(server.uri(), settings);
                UserSender one = users.user();
                UserSender other = users.user()) {
            PreparedRequest get = users.request(Operation.get("/"));
            List<Exchange> exchanges =
                    List.of((Exchange) one.exchange(get), (Exchange) one.exchange(get), (Exchange) other.exchange(get));

            assertThat(exchanges).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(exchanges).extracting(Exchange::resent).containsExactly(1, again, 1);
            List<String> answers =
                    server.requests().stream().map(AccessTest::answer).toList();
            assertThat(answers).hasSize(5 + again).startsWith("none");
            assertThat(answers.stream().filter(sent -> !sent.equals("none")))
                    .hasSize(3)
                    .allMatch(sent -> sent.startsWith(answer));
        }
    }

    @Test
    void aChallengeIsAResponseOtherwise() throws Exception {
        Script script = challenging("WWW-Authenticate: Basic realm=\"r\"", 401, "Authorization");
        try (MisbehavingServer server = MisbehavingServer.start(script);
                Users users = Users.of(server.uri(), HttpClientSettings.DEFAULT)) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(new Outcome.HttpFailure(401));
            assertThat(exchange.resent()).isZero();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aProxyPassesRequestsOn() throws Exception {
        Script script = challenging("Proxy-Authenticate: Basic realm=\"r\"", 407, "Proxy-Authorization");
        URI service = URI.create("http://service.example:8080/");
        try (MisbehavingServer proxy = MisbehavingServer.start(script);
                Users users = Users.of(service, by(proxy, ME))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.resent()).isEqualTo(1);
            assertThat(proxy.requests())
                    .hasSize(2)
                    .allMatch(it -> it.startsWith("GET http://service.example:8080/ HTTP/1.1\r\n"))
                    .allMatch(it -> it.contains("\r\nHost: service.example:8080\r\n"));
        }
    }

    private static Target target(URI uri, Duration connectTimeout) {
        return new Target(uri, List.of(), connectTimeout, OneUser.LONG, true);
    }

    @Test
    void overTlsAProxyMakesATunnel(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost", folder);
        try (MisbehavingServer server = MisbehavingServer.startTls(certificate.server(), Script.BEHAVE);
                TunnelProxy proxy = TunnelProxy.http(server.port());
                Users users = Users.of(target(server.uri(), OneUser.LONG), by(proxy.port(), Optional.empty()))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.resent()).isZero();
            assertThat(exchange.setUp().tlsNanos()).isPositive();
            assertThat(exchange.setUp().connectNanos()).isPositive();
            assertThat(proxy.asked()).singleElement().satisfies(head -> assertThat(head)
                    .startsWith("CONNECT localhost:" + server.port() + " "));
            assertThat(server.requests()).singleElement().asString().startsWith("GET / HTTP/1.1");
        }
    }

    @Test
    void aTunnelThatIsRefusedIsItsStatus() throws Exception {
        Script refusing = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
        };
        try (MisbehavingServer proxy = MisbehavingServer.start(refusing);
                Users users = Users.of(
                        target(URI.create("https://service.example/"), OneUser.LONG), by(proxy, Optional.empty()))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(new Outcome.HttpFailure(502));
            assertThat(exchange.setUp()).isNull();
        }
    }

    @Test
    void aTunnelIsAPartOfConnecting() throws Exception {
        Script silent = peer -> {
            peer.readRequest();
            peer.awaitHangUp();
        };
        try (MisbehavingServer proxy = MisbehavingServer.start(silent);
                Users users = Users.of(
                        target(URI.create("https://service.example/"), Duration.ofMillis(300)),
                        by(proxy, Optional.empty()))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_TIMEOUT);
            assertThat(Duration.ofNanos(exchange.endNanos() - exchange.sentNanos()))
                    .isEqualTo(Duration.ofMillis(300));
        }
    }

    @Test
    void overSocksTheClientLooksUpTheName() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                TunnelProxy proxy = TunnelProxy.socks(server.port(), 0);
                Users users = Users.of(URI.create("http://127.0.0.2:81/"), by(Proxy.Kind.SOCKS5, proxy.port()))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.setUp().connectNanos()).isPositive();
            assertThat(proxy.asked()).containsExactly("address /127.0.0.2:81");
            assertThat(server.requests()).singleElement().asString().startsWith("GET / HTTP/1.1");
        }
    }

    @Test
    void orItIsLeftToTheProxyAndTlsGoesThrough(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost", folder);
        try (MisbehavingServer server = MisbehavingServer.startTls(certificate.server(), Script.BEHAVE);
                TunnelProxy proxy = TunnelProxy.socks(server.port(), 0);
                Users users = Users.of(
                        target(URI.create("https://service.example/"), OneUser.LONG),
                        by(Proxy.Kind.SOCKS5H, proxy.port()))) {
            Exchange exchange = users.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(exchange.setUp().tlsNanos()).isPositive();
            assertThat(proxy.asked()).containsExactly("name service.example:443");
        }
    }

    /** General failure, host unreachable, connection refused (RFC 1928 §6). */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5})
    void aSocksProxyMayRefuse(int answer) throws Exception {
        try (TunnelProxy proxy = TunnelProxy.socks(1, answer);
                Users users = Users.of(URI.create("http://127.0.0.2:81/"), by(Proxy.Kind.SOCKS5, proxy.port()))) {
            assertThat(users.get().outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
        }
    }

    @Test
    void aSocksProxyThatIsNotThereRefuses() throws Exception {
        int port;
        try (TunnelProxy proxy = TunnelProxy.socks(1, 0)) {
            port = proxy.port();
        }
        try (Users users = Users.of(URI.create("http://127.0.0.2:81/"), by(Proxy.Kind.SOCKS5, port))) {
            assertThat(users.get().outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
        }
    }
}
