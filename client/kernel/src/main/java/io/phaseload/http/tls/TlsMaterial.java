package io.phaseload.http.tls;

import io.phaseload.plan.connection.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The contents of a plan's {@link TlsFiles}.
 *
 * @param authorities certificates to trust in place of the JVM's; empty for the JVM's
 * @param certificates the client's certificate and its chain; empty for none
 * @param key of the first certificate; {@code null} if there is none
 */
public record TlsMaterial(List<X509Certificate> authorities, List<X509Certificate> certificates, PrivateKey key) {

    private static final char[] NO_PASSWORD = {};

    /**
     * Reads the files.
     *
     * @return their contents
     * @throws IllegalArgumentException naming the file and what was expected
     */
    public static TlsMaterial read(TlsFiles files) {
        List<X509Certificate> authorities =
                files.authorities().map(PemFile::certificates).orElse(List.of());
        if (files.certificate().isEmpty()) {
            return new TlsMaterial(authorities, List.of(), null);
        }
        Path certificate = files.certificate().get();
        List<X509Certificate> own = PemFile.certificates(certificate);
        return new TlsMaterial(authorities, own, PemFile.key(files.key().orElse(certificate), own.get(0)));
    }

    /** The key managers for the client's certificate, or {@code null}. */
    KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
        if (key == null) {
            return null;
        }
        KeyStore store = empty();
        store.setKeyEntry("client", key, NO_PASSWORD, certificates.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /**
     * The trust manager for the authorities.
     *
     * @return empty to trust those of the JVM
     * @throws GeneralSecurityException if the JVM has none of its kind
     * @throws IOException never in practice: the key store is made in memory
     */
    public Optional<TrustManager> trustManager() throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return Optional.empty();
        }
        KeyStore store = empty();
        for (X509Certificate authority : authorities) {
            store.setCertificateEntry("authority " + store.size(), authority);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Arrays.stream(factory.getTrustManagers())
                .map(trust -> new ValidToday((X509ExtendedTrustManager) trust))
                .map(TrustManager.class::cast)
                .findFirst();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
