package io.phaseload.cluster.network;

import io.phaseload.options.ValueException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The members' proof that they belong to a cluster.
 *
 * @param secret shared by all members: {@link #LEAST_SECRET} characters or more
 * @param keys a PKCS #12 file with the member's own key and the authority of all others; its password is the secret.
 *     Empty for keys that follow from the secret
 */
public record ClusterAccess(String secret, Optional<Path> keys) {

    /** The length of the shortest secret. */
    public static final int LEAST_SECRET = 16;

    private static final Pattern RANDOM = Pattern.compile(ClusterKeys.RANDOM + "[A-Za-z0-9_-]{43}");

    /**
     * Checks the secret.
     *
     * @throws IllegalArgumentException if it is too short
     */
    public ClusterAccess {
        if (secret.length() < LEAST_SECRET) {
            throw new ValueException("a secret of %d characters or more".formatted(LEAST_SECRET));
        }
    }

    /** Whether {@link ClusterKeys#newSecret} made the secret. */
    boolean isRandom() {
        return RANDOM.matcher(secret).matches();
    }

    /** Hides the secret. */
    @Override
    public String toString() {
        return keys.map(file -> "a secret and " + file).orElse("a secret");
    }
}
