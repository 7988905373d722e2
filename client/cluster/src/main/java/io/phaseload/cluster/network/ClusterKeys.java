package io.phaseload.cluster.network;

import io.phaseload.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * The keys by which a cluster's members trust each other, made with the JDK's own {@code keytool}: a secret, a key of
 * the coordinator and a key of the agents, both signed by an authority whose own key isn't kept.
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

    private static final String AUTHORITY = "authority";
    private static final String PASSWORD = "PHASELOAD_KEYS_PASSWORD";
    private static final int SECRET_BYTES = 32;

    private final Path folder;
    private final String secret;

    private ClusterKeys(Path folder, String secret) {
        this.folder = folder;
        this.secret = secret;
    }

    /**
     * Makes them.
     *
     * @param folder made if it isn't there; only its owner can read the files
     * @throws IOException if a file is there already, or can't be written, or there is no keytool
     * @throws InterruptedException if the thread was interrupted
     */
    public static void make(Path folder) throws IOException, InterruptedException {
        PrivateFiles.createDirectories(folder);
        for (String name : List.of(SECRET, COORDINATOR, AGENT)) {
            if (Files.exists(folder.resolve(name))) {
                throw new IOException(folder.resolve(name) + " exists already");
            }
        }
        ClusterKeys keys = new ClusterKeys(folder, newSecret());
        keys.makeAuthority();
        try {
            keys.makeMember(COORDINATOR, Role.COORDINATOR);
            keys.makeMember(AGENT, Role.AGENT);
        } finally {
            Files.deleteIfExists(keys.file(AUTHORITY + ".p12"));
            Files.deleteIfExists(keys.file(AUTHORITY + ".pem"));
        }
        Path own = keys.file(SECRET);
        PrivateFiles.create(own);
        Files.writeString(own, keys.secret + "\n");
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

    private void makeAuthority() throws IOException, InterruptedException {
        String store = AUTHORITY + ".p12";
        keytool(store, "-genkeypair", AUTHORITY, "-dname", "CN=phaseload", "-ext", "bc:c");
        keytool(store, "-exportcert", AUTHORITY, "-rfc", "-file", text(AUTHORITY + ".pem"));
    }

    private void makeMember(String store, Role role) throws IOException, InterruptedException {
        String name = role.alias();
        String request = name + ".csr";
        String chain = name + ".pem";
        try {
            keytool(store, "-genkeypair", name, "-dname", role.subject());
            keytool(store, "-certreq", name, "-file", text(request));
            keytool(
                    AUTHORITY + ".p12",
                    "-gencert",
                    AUTHORITY,
                    "-rfc",
                    "-infile",
                    text(request),
                    "-outfile",
                    text(chain));
            keytool(store, "-importcert", AUTHORITY, "-noprompt", "-file", text(AUTHORITY + ".pem"));
            keytool(store, "-importcert", name, "-noprompt", "-file", text(chain));
            protect(file(store));
        } finally {
            Files.deleteIfExists(file(request));
            Files.deleteIfExists(file(chain));
        }
    }

    private void keytool(String store, String command, String alias, String... more)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // It is short work for a JVM.
                "-J-XX:TieredStopAtLevel=1",
                command,
                "-alias",
                alias,
                "-keystore",
                text(store),
                "-storetype",
                "PKCS12",
                "-storepass:env",
                PASSWORD));
        if (command.equals("-genkeypair")) {
            line.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        }
        if (!command.equals("-certreq") && !command.endsWith("portcert")) {
            line.addAll(List.of("-validity", "3650"));
        }
        line.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put(PASSWORD, secret);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool " + command + ": " + output.strip());
        }
    }

    private static void protect(Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(
                    file, Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        }
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private String text(String name) {
        return file(name).toString();
    }
}
