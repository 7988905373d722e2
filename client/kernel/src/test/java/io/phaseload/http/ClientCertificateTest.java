package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.http.tls.TlsMaterial;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A server that asks for a client certificate, and authorities that the JVM doesn't know. */
@Isolated("sets a property of the JVM's TLS")
@Tag("contract")
class ClientCertificateTest {

    private static final String PROTOCOLS = "jdk.tls.client.protocols";

    @TempDir
    private static Path folder;

    private static TestCertificate server;
    private static TestCertificate client;
    private static Path serverFile;
    private static Path clientFile;
    private static Path keyFile;

    @BeforeAll
    static void makeCertificates() throws Exception {
        server = TestCertificate.of("localhost", folder);
        client = TestCertificate.of("client.example", folder);
        serverFile = Files.writeString(folder.resolve("server.pem"), server.pem());
        clientFile = Files.writeString(folder.resolve("client.pem"), client.certificatePem());
        keyFile = Files.writeString(folder.resolve("key.pem"), client.keyPem());
    }

    private static TlsFiles files(Path authorities, Path certificate, Path key) {
        return new TlsFiles(
                Optional.ofNullable(authorities), Optional.ofNullable(certificate), Optional.ofNullable(key));
    }

    private static Outcome get(TlsFiles files) throws Exception {
        try (MisbehavingServer asking = MisbehavingServer.startTls(server.serverAsking(client), Script.BEHAVE)
                        .askingForACertificate();
                OneUser user = user(asking.uri(), files)) {
            Outcome outcome = user.get().outcome();
            assertThat(asking.requests()).hasSize(outcome == Outcome.SUCCESS ? 1 : 0);
            return outcome;
        }
    }

    private static OneUser user(URI uri, TlsFiles files) {
        return OneUser.of(new Target(uri, List.of(), OneUser.LONG, OneUser.LONG, false, files));
    }

    @Test
    void theCertificateIsSentOnRequest() throws Exception {
        assertThat(get(files(serverFile, clientFile, keyFile))).isEqualTo(Outcome.SUCCESS);
    }

    @Test
    void theJdksTlsSendsItToo() throws Exception {
        System.setProperty(PROTOCOLS, "TLSv1.2");
        try {
            assertThat(get(files(serverFile, clientFile, keyFile))).isEqualTo(Outcome.SUCCESS);
        } finally {
            System.clearProperty(PROTOCOLS);
        }
    }

    @Test
    void theKeyCanBeInTheCertificatesFile() throws Exception {
        Path both = Files.writeString(folder.resolve("both.pem"), client.pem());
        assertThat(get(files(serverFile, both, null))).isEqualTo(Outcome.SUCCESS);
    }

    @Test
    void aMissingOrUntrustedCertificateIsRejected() throws Exception {
        assertThat(get(files(serverFile, null, null))).isNotEqualTo(Outcome.SUCCESS);
        Path other = Files.writeString(folder.resolve("own.pem"), server.pem());
        assertThat(get(files(serverFile, other, null))).isNotEqualTo(Outcome.SUCCESS);
    }

    @Test
    void anUntrustedAuthorityIsRejected() throws Exception {
        assertThat(get(files(clientFile, clientFile, keyFile))).isInstanceOf(Outcome.TlsFailure.class);
    }

    /** The JDK by itself checks no dates of an authority. */
    @Test
    void anExpiredCertificateIsRejectedEvenAsAnAuthority() throws Exception {
        TestCertificate expired = TestCertificate.expired("localhost", folder);
        Path file = Files.writeString(folder.resolve("expired.pem"), expired.certificatePem());
        for (String protocols : new String[] {"TLSv1.3", "TLSv1.2"}) {
            try (MisbehavingServer server = MisbehavingServer.startTls(expired.server(), protocols, Script.BEHAVE);
                    OneUser user = user(server.uri(), files(file, null, null))) {
                Outcome outcome = user.get().outcome();

                assertThat(outcome).isInstanceOf(Outcome.TlsFailure.class);
                assertThat(outcome.detail()).contains("the certificate expired on");
                assertThat(server.requests()).isEmpty();
            }
        }
    }

    @Test
    void errorsInFilesAreReported() throws Exception {
        Path none = folder.resolve("none.pem");
        assertSaid(files(none, null, null), none, "a PEM file with certificates");
        assertSaid(files(keyFile, null, null), keyFile, "certificates in PEM (BEGIN CERTIFICATE)");
        assertSaid(files(null, clientFile, null), clientFile, "a private key in PEM (BEGIN PRIVATE KEY)");
        Path other = Files.writeString(folder.resolve("other.pem"), server.keyPem());
        assertSaid(files(null, clientFile, other), other, "the key of the certificate");
        Path encrypted = Files.writeString(
                folder.resolve("encrypted.pem"), client.keyPem().replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
        assertSaid(
                files(null, clientFile, encrypted),
                encrypted,
                "a key that isn't encrypted; openssl pkcs8 -topk8 -nodes -in FILE decrypts it");
        Path old =
                Files.writeString(folder.resolve("old.pem"), client.keyPem().replace("PRIVATE KEY", "EC PRIVATE KEY"));
        assertSaid(
                files(null, clientFile, old),
                old,
                "a private key in PEM (BEGIN PRIVATE KEY); openssl pkcs8 -topk8 -nodes -in FILE converts this one");
        Path damaged = Files.writeString(
                folder.resolve("damaged.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertSaid(files(damaged, null, null), damaged, "certificates in PEM; one of them is damaged");
    }

    private static void assertSaid(TlsFiles files, Path file, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TlsMaterial.read(files))
                .withMessage("'%s': expected %s", file, expected);
    }
}
