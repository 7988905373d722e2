package io.phaseload.cli.doctor.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.doctor.checks.CheckOutcome;
import io.phaseload.cli.doctor.checks.CheckOutcome.Fail;
import io.phaseload.cli.doctor.checks.CheckOutcome.Ok;
import io.phaseload.cli.doctor.checks.CheckOutcome.Warn;
import io.phaseload.cli.doctor.checks.ConnectionChecks;
import io.phaseload.cli.doctor.checks.Planned;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real targets come to. */
class TargetFactsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    @Test
    void aTargetThatClosesEachConnectionIsTold() {
        try (RecordingServer server = RecordingServer.closing()) {
            Plan plan = Plan.builder(server.url())
                    .threads(8)
                    .operations(Operation.post("/", Body.ofText("x")), Operation.get("/a"))
                    .build();
            Planned planned = new Planned(plan, false);

            Probe probe = Probe.of(plan, 5).orElseThrow();

            assertThat(server.received()).hasSize(Probe.REQUESTS + 10);
            assertThat(server.received()).allMatch(request -> request.line().equals("GET /a"));
            assertThat(ConnectionChecks.keepAlive(planned, probe))
                    .isInstanceOfSatisfying(Warn.class, warn -> assertThat(warn.meaning())
                            .startsWith("the target closes each connection"));
            assertThat(ConnectionChecks.connectionLimit(planned, probe))
                    .isInstanceOfSatisfying(
                            Ok.class, ok -> assertThat(ok.meaning()).contains("--probe 8 tries them all"));
        }
    }

    @Test
    void aTargetThatRefusesRequestsIsTold() {
        try (RecordingServer server = RecordingServer.start(request -> 503)) {
            Plan plan = Plan.builder(server.url()).threads(3).build();
            Planned planned = new Planned(plan, false);

            Probe probe = Probe.of(plan, 3).orElseThrow();

            assertThat(ConnectionChecks.keepAlive(planned, probe)).isInstanceOf(Ok.class);
            assertThat(ConnectionChecks.connectionLimit(planned, probe))
                    .isInstanceOfSatisfying(
                            Warn.class, warn -> assertThat(warn.found()).contains("6 of 6 requests failed"));
        }
    }

    @Test
    void onlyHarmlessRequestsAreTried() {
        Plan plan = Plan.builder(URI.create("http://127.0.0.1:9/"))
                .operations(Operation.post("/", Body.ofText("x")))
                .build();
        assertThat(Probe.of(plan, 3)).isEmpty();
    }

    @Test
    void theWayLeadsToAnAddress() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            TargetReachability way =
                    TargetReachability.to(Plan.builder(uri).build().target());
            assertThat(way.reachable()).contains((InetSocketAddress) server.getLocalSocketAddress());
            assertThat(way.isHere()).isTrue();
            server.close();
            assertThat(TargetReachability.to(Plan.builder(uri).build().target()).reachable())
                    .isEmpty();
        }
        TargetReachability none = TargetReachability.to(
                Plan.builder(URI.create("http://none.invalid/")).build().target());
        assertThat(none.unknown()).isPresent();
        assertThat(none.attempts()).isEmpty();
    }

    @Test
    void certificatesAreJudged() throws Exception {
        KeyStore expired = certificate("expired", "-startdate", "-3d", "-validity", "1");
        KeyStore good = certificate("good", "-validity", "90");
        Path pem = Files.writeString(
                folder.resolve("good.pem"),
                "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                        .formatted(Base64.getMimeEncoder()
                                .encodeToString(good.getCertificate("server").getEncoded())));

        assertThat(tls(expired, Optional.empty(), false, EngineSettings.THREADS))
                .isInstanceOfSatisfying(
                        Fail.class, fail -> assertThat(fail.fix()).startsWith("renew"));
        assertThat(tls(expired, Optional.empty(), true, EngineSettings.THREADS)).isInstanceOf(Warn.class);
        assertThat(tls(good, Optional.empty(), false, EngineSettings.THREADS))
                .isInstanceOfSatisfying(
                        Fail.class, fail -> assertThat(fail.fix()).contains("--cacert"));
        assertThat(tls(good, Optional.of(pem), false, EngineSettings.THREADS))
                .isInstanceOfSatisfying(Ok.class, ok -> assertThat(ok.found()).startsWith("TLSv1.3; CN=good"));
        EngineSettings http2 =
                EngineSettings.builder("events").protocol(new Protocol.Http2(1)).build();
        assertThat(tls(good, Optional.of(pem), false, http2))
                .isInstanceOfSatisfying(
                        Fail.class, fail -> assertThat(fail.meaning()).contains("HTTP/2"));
    }

    private static CheckOutcome tls(KeyStore keys, Optional<Path> authorities, boolean insecure, EngineSettings engine)
            throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 5);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.start();
        try {
            PlanBuilder plan = Plan.builder(URI.create(
                            "https://127.0.0.1:" + server.getAddress().getPort() + "/"))
                    .insecure(insecure)
                    .engine(engine);
            authorities.ifPresent(
                    file -> plan.tlsFiles(new TlsFiles(Optional.of(file), Optional.empty(), Optional.empty())));
            Planned planned = new Planned(plan.build(), false);
            TlsFacts handshake = TlsFacts.with(planned.plan().target(), server.getAddress(), "h2", "http/1.1");
            return ConnectionChecks.tls(planned, handshake, Instant.now());
        } finally {
            server.stop(0);
        }
    }

    private KeyStore certificate(String name, String... options) throws Exception {
        Path file = folder.resolve(name + ".p12");
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD));
        line.addAll(List.of(options));
        Process keytool = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    @Test
    void theMachineTells() throws Exception {
        Machine machine = Machine.read();
        assertThat(machine.clockNanos()).isPositive();
        assertThat(machine.mostOpenFiles().isPresent())
                .isEqualTo(machine.openFiles().isPresent());
    }
}
