package io.phaseload.cli.cluster;

import io.phaseload.cli.command.HostPort;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.ClusterKeys;
import io.phaseload.options.UsageException;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.kohsuke.args4j.Option;

/** The keys by which coordinator and agents trust each other. */
public final class AccessOptions {

    /** The variable that has the secret, unless a file has. */
    static final String VARIABLE = "PHASELOAD_CLUSTER_SECRET";

    private static final String SECRET = "--cluster-secret-file";
    private static final String KEYS = "--cluster-keys";

    @Option(name = SECRET)
    private String secretFile;

    @Option(name = KEYS)
    private String keys;

    /** The first of these options that was given. */
    Optional<String> given() {
        if (secretFile != null) {
            return Optional.of(SECRET + " " + secretFile);
        }
        return Optional.ofNullable(keys).map(file -> KEYS + " " + file);
    }

    /** A member's proof that it belongs to the cluster. */
    ClusterAccess access() throws UsageException {
        String secret = secret();
        Optional<Path> file = keys();
        ClusterAccess access = access(secret, file);
        if (file.isPresent() && !ClusterKeys.opens(secret, file.get())) {
            throw new UsageException(
                    "%s %s: expected keys of the same phaseload agent --init as the secret", KEYS, keys);
        }
        return access;
    }

    private ClusterAccess access(String secret, Optional<Path> file) throws UsageException {
        try {
            return new ClusterAccess(secret, file);
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    (secretFile == null ? VARIABLE : SECRET + " " + secretFile) + ": " + e.getMessage());
        }
    }

    private String secret() throws UsageException {
        if (secretFile == null) {
            String secret = System.getenv(VARIABLE);
            if (secret == null) {
                throw new UsageException("expected %s FILE, or the variable %s: nobody joins without a secret"
                        .formatted(SECRET, VARIABLE));
            }
            return secret;
        }
        try {
            return Files.readString(Path.of(secretFile)).strip();
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(SECRET + " " + secretFile + ": expected a file with a secret");
        }
    }

    private Optional<Path> keys() throws UsageException {
        if (keys == null) {
            return Optional.empty();
        }
        try {
            Path file = Path.of(keys);
            if (Files.isReadable(file) && Files.isRegularFile(file)) {
                return Optional.of(file);
            }
        } catch (InvalidPathException e) {
            // Said below.
        }
        throw new UsageException(KEYS + " " + keys + ": expected a file of phaseload agent --init");
    }

    /** An address as users write it, such as {@code 127.0.0.1:7800} or {@code [::1]:7800}. */
    static InetSocketAddress address(String option, String text) throws UsageException {
        return HostPort.parse(text)
                .filter(at -> !at.host().isEmpty())
                .map(at -> new InetSocketAddress(at.host(), at.port()))
                .orElseThrow(() -> new UsageException(
                        "%s %s: expected an address and a port, such as 10.0.0.5:7800", option, text));
    }

    /** Nothing that members send is an object of Java. */
    static void refuseObjects() {
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(info -> ObjectInputFilter.Status.REJECTED);
        }
    }
}
