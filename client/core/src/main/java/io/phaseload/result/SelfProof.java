package io.phaseload.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The outcome of a client's check of itself on a machine, against a target that knows its own figures.
 *
 * @param at the time of the check
 * @param phaseloadVersion the client's version
 * @param javaVersion the JVM's
 * @param checks one or more
 */
public record SelfProof(Instant at, String phaseloadVersion, String javaVersion, List<Check> checks) {

    /** Copies the list. */
    public SelfProof {
        checks = List.copyOf(checks);
    }

    /**
     * A figure that the target knows.
     *
     * @param figure such as {@code p99 (ms)}
     * @param target the target's own figure
     * @param client the client's
     * @param tolerance the largest difference that is allowed
     */
    public record Check(String figure, double target, double client, double tolerance) {

        /**
         * Whether the client was right.
         *
         * @return true within the tolerance
         */
        public boolean passed() {
            return Math.abs(client - target) <= tolerance;
        }
    }

    /**
     * Whether the client was right in all.
     *
     * @return true if all checks passed
     */
    public boolean passed() {
        return checks.stream().allMatch(Check::passed);
    }

    /**
     * The file in which the last outcome of this user on this machine is kept, by the XDG Base Directory Specification.
     *
     * @return below {@code $XDG_CACHE_HOME} if that is absolute, otherwise below {@code ~/.cache}
     */
    public static Path file() {
        return file(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home", ""));
    }

    /** A path that isn't absolute is to be ignored. */
    static Path file(@Nullable String cache, String home) {
        Path base = cache != null && cache.startsWith("/") ? Path.of(cache) : Path.of(home, ".cache");
        return base.resolve("phaseload").resolve("self-proof.json");
    }

    /**
     * The outcome that is kept.
     *
     * @param file see {@link #file()}
     * @return empty without one, or if another version or JVM of the client was checked
     */
    static Optional<SelfProof> kept(Path file) {
        try {
            SelfProof proof = JsonMapper.shared().readValue(Files.readString(file), SelfProof.class);
            boolean same = proof.phaseloadVersion.equals(Environment.currentVersion())
                    && proof.javaVersion.equals(System.getProperty("java.version", ""));
            return same ? Optional.of(proof) : Optional.empty();
        } catch (IOException | JacksonException | InvalidPathException | NullPointerException e) {
            return Optional.empty();
        }
    }
}
