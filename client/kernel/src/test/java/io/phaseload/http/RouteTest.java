package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.connection.Route;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other ways to a target: proxies, other addresses, Unix domain sockets. */
@Tag("contract")
@Tag("wire")
@Timeout(60)
class RouteTest {

    private static final String NAME = "http://service.example:8080/";

    private static OneUser user(String uri, Route route) {
        return OneUser.of(new Target(URI.create(uri), List.of(), OneUser.LONG, OneUser.LONG, true).by(route));
    }

    private static Route by(String proxy) {
        return new Route.By(Proxy.parse(proxy));
    }

    @Test
    void aProxyPassesPlainRequestsOn() throws Exception {
        try (MisbehavingServer proxy = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = user(NAME, by("http://me:s%3Acret@127.0.0.1:" + proxy.port()))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            Exchange second = user.get();

            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.setUp()).isNull();
            assertThat(proxy.requests())
                    .hasSize(2)
                    .allMatch(it -> it.startsWith("GET http://service.example:8080/ HTTP/1.1\r\n"))
                    .allMatch(it -> it.contains("\r\nHost: service.example:8080\r\n"))
                    // "me:s:cret" in Base64.
                    .allMatch(it -> it.contains("\r\nProxy-Authorization: Basic bWU6czpjcmV0\r\n"));
        }
    }

    @Test
    void aProxyMakesATunnelForTls(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost", folder);
        try (MisbehavingServer server = MisbehavingServer.startTls(certificate.server(), Script.BEHAVE);
                TunnelProxy proxy = TunnelProxy.http(server.port());
                OneUser user = user("https://service.example/", by("http://127.0.0.1:" + proxy.port()))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(proxy.asked())
                    .containsExactly("CONNECT service.example:443 HTTP/1.1\nHost: service.example:443\n");
            assertThat(server.requests()).hasSize(2).allMatch(it -> it.startsWith("GET / HTTP/1.1\r\n"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "socks5,  http://127.0.0.1:81/,         address /127.0.0.1:81",
        "socks5,  http://[::1]:81/,             address /0:0:0:0:0:0:0:1:81",
        "socks5h, http://service.example:8080/, name service.example:8080",
    })
    void socksMakesATunnelForAll(String kind, String uri, String asked) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                TunnelProxy proxy = TunnelProxy.socks(server.port(), 0);
                OneUser user = user(uri, by(kind + "://127.0.0.1:" + proxy.port()))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(proxy.asked()).containsExactly(asked);
        }
    }

    @Test
    void aProxyMayRefuse() throws Exception {
        Script challenge = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n");
        };
        try (MisbehavingServer http = MisbehavingServer.start(challenge);
                MisbehavingServer gone = MisbehavingServer.start(Peer::hangUp);
                TunnelProxy socks = TunnelProxy.socks(1, 5);
                OneUser one = user("https://service.example/", by("http://127.0.0.1:" + http.port()));
                OneUser two = user("https://service.example/", by("http://127.0.0.1:" + gone.port()));
                OneUser three = user(NAME, by("socks5h://127.0.0.1:" + socks.port()))) {
            assertThat(one.get().outcome()).isEqualTo(new Outcome.HttpFailure(407));
            assertThat(two.get().outcome()).isEqualTo(new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
            assertThat(three.get().outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
        }
    }

    @Test
    void anotherAddressIsTaken() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = user(NAME, new Route.To(List.of("127.0.0.1"), server.port()))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests().get(0))
                    .startsWith("GET / HTTP/1.1\r\n")
                    .contains("\r\nHost: service.example:8080\r\n");
        }
    }

    /** Answers three requests over each connection, reads one more, and closes. */
    private static Thread unixServer(ServerSocketChannel listener, List<String> requests) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    answerThree(listener.accept(), requests);
                }
            } catch (IOException closed) {
                // By the test.
            }
        });
        thread.start();
        return thread;
    }

    private static void answerThree(SocketChannel peer, List<String> requests) throws IOException {
        try (peer) {
            ByteBuffer bytes = ByteBuffer.allocate(10_000);
            for (int i = 0; i < 4; i++) {
                String request = "";
                while (!request.endsWith("\r\n\r\n")) {
                    if (peer.read(bytes.clear()) < 0) {
                        return;
                    }
                    request += StandardCharsets.ISO_8859_1.decode(bytes.flip());
                }
                requests.add(request);
                if (i < 3) {
                    peer.write(ByteBuffer.wrap(Peer.OK.getBytes(StandardCharsets.US_ASCII)));
                }
            }
        }
    }

    /** An end of a Unix domain socket doesn't tell whether the request before it was read. */
    @Test
    void aUnixSocketIsAConnection(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("s");
        List<String> requests = new CopyOnWriteArrayList<>();
        Thread server;
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                OneUser user = user(NAME, new Route.UnixSocket(file))) {
            assertThat(user.get().outcome().cause().key()).isEqualTo("client: no such socket");
            listener.bind(UnixDomainSocketAddress.of(file));
            server = unixServer(listener, requests);
            for (int i = 0; i < 3; i++) {
                assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            }
            // Later than a round trip, which takes microseconds here, it is known to be a reset.
            assertThat(user.get().outcome())
                    .isIn(Outcome.NoResponse.UNKNOWN_IF_READ, new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(requests)
                    .hasSize(5)
                    .allMatch(it -> it.startsWith("GET / HTTP/1.1\r\n"))
                    .allMatch(it -> it.contains("\r\nHost: service.example:8080\r\n"));
        }
        server.join();
        try (OneUser user = user(NAME, new Route.UnixSocket(file))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
        }
    }
}
