package io.phaseload.cluster.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * An authority for TLS. Its private key is random, or it follows from a cluster's secret: then members that know the
 * secret, and nobody else, can sign a key that the others trust. Thread-safe.
 */
final class Authority {

    private static final String NAME = "CN=phaseload cluster";
    private static final String DERIVATION = "PBKDF2WithHmacSHA512";
    private static final byte[] SALT = "phaseload cluster authority 1".getBytes(StandardCharsets.US_ASCII);

    /** Each guess at a secret that a person made up takes one to two seconds of CPU. */
    private static final int ROUNDS = 310_000;

    private static final int SEED_BITS = 256;

    /** By secret: it takes long. */
    private static final Map<String, Authority> KNOWN = new ConcurrentHashMap<>();

    private final KeyPair pair;

    private Authority(KeyPair pair) {
        this.pair = pair;
    }

    static Authority of(ClusterAccess access) {
        return KNOWN.computeIfAbsent(access.secret(), secret -> {
            try {
                // A random key of 256 bits can't be guessed, however quick a guess is.
                return new Authority(pair(secret, access.isRandom() ? 1 : ROUNDS));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** An authority that no other process has. */
    static Authority random() throws GeneralSecurityException {
        return new Authority(KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
    }

    private static KeyPair pair(String secret, int rounds) throws GeneralSecurityException {
        byte[] seed = SecretKeyFactory.getInstance(DERIVATION)
                .generateSecret(new PBEKeySpec(secret.toCharArray(), SALT, rounds, SEED_BITS))
                .getEncoded();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
        KeyPair pair = generator.generateKeyPair();
        // The seed is the private key (RFC 8032), and so it is for all versions of the JDK.
        if (!(pair.getPrivate() instanceof EdECPrivateKey key)
                || !Arrays.equals(key.getBytes().orElseThrow(), seed)) {
            throw new GeneralSecurityException("this JDK makes other keys of Ed25519");
        }
        return pair;
    }

    /**
     * A new key, signed by this authority, and as the only trusted one this authority.
     *
     * @param role the name of the key
     * @param password protects the key in the store
     */
    KeyStore member(Role role, char[] password) throws IOException, GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair own = generator.generateKeyPair();
        java.security.cert.Certificate top =
                new Certificate(NAME, NAME, pair.getPublic(), true).signed(pair.getPrivate());
        java.security.cert.Certificate leaf =
                new Certificate(NAME, role.subject(), own.getPublic(), false).signed(pair.getPrivate());
        KeyStore store = ClusterKeys.newStore();
        store.setKeyEntry(role.alias(), own.getPrivate(), password, new java.security.cert.Certificate[] {leaf, top});
        store.setCertificateEntry("authority", top);
        return store;
    }

    /** Not random. */
    private static final class Seed extends SecureRandom {

        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        Seed(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }
}
