package io.phaseload.cluster.network;

import java.nio.file.Path;
import java.util.Optional;
import org.jgroups.protocols.AUTH;
import org.jgroups.util.TLS;
import org.jgroups.util.TLSClientAuth;

/**
 * What lets a member into a cluster.
 *
 * @param secret that all members share: {@link #LEAST_SECRET} characters or more
 * @param keys a PKCS #12 file with the member's own key and the authority of all others, for TLS
 *     with mutual authentication; its password is the secret. Empty for connections in plain text
 */
public record Access(String secret, Optional<Path> keys) {

    /** The length of the shortest secret. */
    public static final int LEAST_SECRET = 16;

    /**
     * Checks the secret.
     *
     * @throws IllegalArgumentException if it is too short
     */
    public Access {
        if (secret.length() < LEAST_SECRET) {
            throw new IllegalArgumentException(
                    "expected a secret of %d characters or more".formatted(LEAST_SECRET));
        }
    }

    /** TLS with these keys. */
    Optional<TLS> tls() {
        return keys.map(
                file ->
                        new TLS()
                                .enabled(true)
                                .setProtocols(new String[] {"TLSv1.3"})
                                .setKeystorePath(file.toString())
                                .setKeystorePassword(secret)
                                // A router would trust the JVM's authorities otherwise.
                                .setTruststorePath(file.toString())
                                .setTruststorePassword(secret)
                                .setClientAuth(TLSClientAuth.NEED));
    }

    /** Lets in only those who know the secret. */
    AUTH gate(SecretToken token) {
        AUTH auth = new AUTH().setAuthToken(token);
        token.setAuth(auth);
        return auth;
    }

    /** Hides the secret. */
    @Override
    public String toString() {
        return keys.map(file -> "a secret and " + file).orElse("a secret");
    }
}
