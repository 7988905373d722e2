package io.phaseload.events.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.handler.ssl.OpenSsl;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Script;
import io.phaseload.http.TestCertificate;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.result.Result;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Who encrypts; how it breaks is in the contract's tests, which run on both. */
@Isolated("sets the JVM's default SSL context, and where it finds whom to trust")
@Timeout(60)
class TlsProviderTest {

    private static final String STORE = "javax.net.ssl.trustStore";

    @TempDir
    static Path folder;

    private static TestCertificate certificate;

    @BeforeAll
    static void makeCertificate() throws Exception {
        assumeThat(OpenSsl.isAvailable())
                .as("BoringSSL is there for this system")
                .isTrue();
        certificate = TestCertificate.of("localhost", folder);
    }

    @Test
    void boringSslTrustsTheJvmsAuthorities() throws Exception {
        Path store = folder.resolve("localhost.p12");
        assertThat(get(Map.of())).isEqualTo("boringssl: tls failure");
        assertThat(get(Map.of(STORE, store.toString(), STORE + "Password", "changeit")))
                .isEqualTo("boringssl: success");
    }

    @Test
    void boringSslChecksTheHostName() throws Exception {
        TestCertificate other = TestCertificate.of("other.example", folder);
        String store = folder.resolve("other.example.p12").toString();
        assertThat(get(other, Map.of(STORE, store, STORE + "Password", "changeit")))
                .isEqualTo("boringssl: tls failure");
    }

    /** What it was told of isn't known outside of it. */
    @Test
    void aConfiguredJvmUsesTheJdksTls() throws Exception {
        SSLContext before = SSLContext.getDefault();
        SSLContext.setDefault(certificate.server());
        try {
            assertThat(get(Map.of())).isEqualTo("jdk: tls failure");
        } finally {
            SSLContext.setDefault(before);
        }
        assertThat(get(Map.of("jdk.tls.client.protocols", "TLSv1.3"))).isEqualTo("jdk: tls failure");
        assertThat(get(Map.of("javax.net.ssl.keyStore", "none"))).isEqualTo("jdk: tls failure");
    }

    private static String get(Map<String, String> properties) throws Exception {
        return get(certificate, properties);
    }

    private static String get(TestCertificate shown, Map<String, String> properties) throws Exception {
        properties.forEach(System::setProperty);
        try (MisbehavingServer server = MisbehavingServer.startTls(shown.server(), Script.BEHAVE)) {
            URI uri = URI.create("https://localhost:" + server.port() + "/");
            Plan plan = Plan.builder(uri)
                    .threads(1)
                    .iterations(1)
                    .engine(EngineSettings.of("events"))
                    .build();
            Result result = ThreadsLoadClient.of(plan).run();
            String outcome =
                    result.totals().failures().keySet().stream().findFirst().orElse("success");
            return result.engine().tls().orElseThrow() + ": " + outcome;
        } finally {
            properties.keySet().forEach(System::clearProperty);
        }
    }
}
