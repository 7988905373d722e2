package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.OpenSsl;
import io.phaseload.events.tls.Tls;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Script;
import io.phaseload.http.TestCertificate;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP/2 over TLS, which the two ends agree on while they shake hands. */
@Timeout(60)
class Http2TlsTest {

    @TempDir
    static Path folder;

    private static final Duration LONG = Duration.ofSeconds(20);
    private static TestCertificate certificate;
    private static TestCertificate own;
    private static TlsFiles ownFiles;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificate = TestCertificate.of("localhost", folder);
        own = TestCertificate.of("client.example", folder);
        ownFiles = new TlsFiles(
                Optional.of(Files.writeString(folder.resolve("server.pem"), certificate.pem())),
                Optional.of(Files.writeString(folder.resolve("own.pem"), own.pem())),
                Optional.empty());
    }

    private static SharedClient client(URI uri, Tls.Provider provider) {
        return client(new Target(uri, List.of(), LONG, LONG, true), provider);
    }

    private static SharedClient client(Target target, Tls.Provider provider) {
        assumeThat(provider == Tls.Provider.JDK || OpenSsl.isAvailable())
                .as("BoringSSL is there for this system")
                .isTrue();
        return new SharedClient(target, provider, 3);
    }

    @ParameterizedTest
    @EnumSource
    void theCertificateIsSentOnRequest(Tls.Provider provider) throws Exception {
        try (Http2Server server = new Http2Server(
                        Http2Settings.defaultSettings(),
                        true,
                        certificate.serverAsking(own),
                        Http2Server.Request::answer)
                .askingForACertificate()) {
            Target shown = new Target(server.uri(), List.of(), LONG, LONG, false, ownFiles);
            try (SharedClient client = client(shown, provider)) {
                assertThat(client.exchange(Operation.get("/")).outcome()).isEqualTo(Outcome.SUCCESS);
            }
            try (SharedClient nobody = client(server.uri(), provider)) {
                assertThat(nobody.exchange(Operation.get("/")).outcome().responded())
                        .isFalse();
            }
            assertThat(server.requests()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isUsedIfTheServerAgrees(Tls.Provider provider) throws Exception {
        Operation post = Operation.post("/", Body.ofBytes(new byte[200_000]));
        try (Http2Server server = new Http2Server(
                        Http2Settings.defaultSettings(),
                        true,
                        certificate.server(),
                        request -> request.answer(200, (int) request.bodyBytes()));
                SharedClient client = client(server.uri(), provider)) {
            for (int i = 0; i < 3; i++) {
                List<Exchange> exchanges = client.sendAll(post).stream()
                        .map(CompletableFuture::join)
                        .toList();

                assertThat(exchanges).allSatisfy(exchange -> {
                    assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
                    assertThat(exchange.bytesReceived()).isGreaterThan(200_000);
                });
                assertThat(exchanges)
                        .filteredOn(exchange -> exchange.setUp() != null)
                        .hasSize(i == 0 ? 1 : 0)
                        .allSatisfy(
                                first -> assertThat(first.setUp().tlsNanos()).isPositive());
            }
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatDoesNotAgreeIsReported(Tls.Provider provider) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.startTls(certificate.server(), Script.BEHAVE)) {
            URI uri = URI.create("https://localhost:" + server.port() + "/");
            try (SharedClient client = client(uri, provider)) {
                assertThat(client.exchange(Operation.get("/")).outcome())
                        .isEqualTo(SharedFailure.noHttp2("the server chose another protocol by ALPN"));
                assertThat(server.requests()).isEmpty();
            }
        }
    }
}
