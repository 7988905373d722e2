package io.phaseload.cluster.network;

import io.phaseload.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * The keys by which a cluster's members trust each other, as files: a secret, a key of the coordinator and a key of the
 * agents, both signed by an authority whose own key isn't kept.
 */
public final class ClusterKeys {

    /** The file with the secret. */
    public static final String SECRET = "secret";

    /** The coordinator's key. */
    public static final String COORDINATOR = "coordinator.p12";

    /** The first characters of a secret that is a random key. */
    static final String RANDOM = "phaseload-";

    /** The key of all agents. */
    public static final String AGENT = "agent.p12";

    private static final int SECRET_BYTES = 32;

    private ClusterKeys() {}

    /**
     * Makes them.
     *
     * @param folder made if it isn't there; only its owner can read the files
     * @throws IOException if a file is there already, or can't be written
     */
    public static void make(Path folder) throws IOException {
        PrivateFiles.createDirectories(folder);
        for (String name : List.of(SECRET, COORDINATOR, AGENT)) {
            if (Files.exists(folder.resolve(name))) {
                throw new IOException(folder.resolve(name) + " exists already");
            }
        }
        String secret = newSecret();
        try {
            Authority authority = Authority.random();
            char[] password = secret.toCharArray();
            write(folder.resolve(COORDINATOR), authority.member(Role.COORDINATOR, password), password);
            write(folder.resolve(AGENT), authority.member(Role.AGENT, password), password);
        } catch (GeneralSecurityException e) {
            throw new IOException("keys for TLS: " + e.getMessage(), e);
        }
        Path own = folder.resolve(SECRET);
        PrivateFiles.create(own);
        Files.writeString(own, secret + "\n");
    }

    private static void write(Path file, KeyStore store, char[] password) throws IOException, GeneralSecurityException {
        PrivateFiles.create(file);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password);
        }
    }

    /**
     * Whether a secret opens a file of keys.
     *
     * @param file any
     * @return {@code false} also if that isn't a file of keys, or can't be read
     */
    public static boolean opens(String secret, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore.getInstance("PKCS12").load(in, secret.toCharArray());
            return true;
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    /**
     * The keys of a file.
     *
     * @throws IOException if the file can't be read, the password is wrong, or the key isn't of this role
     */
    static KeyStore open(Path file, char[] password, Role role) throws IOException, GeneralSecurityException {
        KeyStore store = newStore();
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        boolean isCoordinator = store.containsAlias(Role.COORDINATOR.alias());
        if (isCoordinator != (role == Role.COORDINATOR)) {
            throw new IOException("%s: expected %s".formatted(file, role == Role.COORDINATOR ? COORDINATOR : AGENT));
        }
        return store;
    }

    /** An empty store in memory. */
    static KeyStore newStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** {@return a secret that nobody can guess: a random key of 256 bits, as text} */
    public static String newSecret() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return RANDOM + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
