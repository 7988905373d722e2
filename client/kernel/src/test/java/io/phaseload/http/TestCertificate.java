package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate of a host name, made by the JDK's keytool. */
public final class TestCertificate {

    private static final String PASSWORD = "changeit";

    private final KeyStore keys;

    private TestCertificate(KeyStore keys) {
        this.keys = keys;
    }

    /** Makes one; the folder gets a file. */
    public static TestCertificate of(String hostName, Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        return of(hostName, folder.resolve(hostName + ".p12"), "-1H");
    }

    /** Makes one that expired days ago; the folder gets a file. */
    static TestCertificate expired(String hostName, Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        return of(hostName, folder.resolve("expired-" + hostName + ".p12"), "-10d");
    }

    private static TestCertificate of(String hostName, Path file, String start)
            throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + hostName,
                        "-ext",
                        "SAN=dns:" + hostName,
                        "-startdate",
                        start,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        return new TestCertificate(keys);
    }

    /** For a server that shows this certificate. */
    public SSLContext server() throws GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    /** The key and the certificate, as servers read them from a file. */
    public String pem() throws GeneralSecurityException {
        return keyPem() + certificatePem();
    }

    private static String block(String label, byte[] content) {
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                .formatted(label, Base64.getMimeEncoder().encodeToString(content));
    }

    /** For a client that trusts this certificate and no other. */
    SSLContext trusting() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trustManagers(), null);
        return context;
    }

    private TrustManager[] trustManagers() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    /** For a server that shows this certificate, and wants to be shown the other one. */
    public SSLContext serverAsking(TestCertificate client) throws GeneralSecurityException, IOException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), client.trustManagers(), null);
        return context;
    }

    /** The certificate alone, as clients trust it. */
    public String certificatePem() throws GeneralSecurityException {
        return block("CERTIFICATE", keys.getCertificate("server").getEncoded());
    }

    /** Its key alone. */
    String keyPem() throws GeneralSecurityException {
        return block(
                "PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
    }
}
