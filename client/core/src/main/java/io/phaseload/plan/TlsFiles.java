package io.phaseload.plan;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files in PEM that say whom a client trusts and who it is. They are read when a run begins; a plan
 * keeps their names alone.
 *
 * @param authorities certificates that are trusted in place of the JVM's
 * @param certificate what the client shows to a server that asks for it, its chain after it
 * @param key of that certificate, not encrypted; if it is left out, it stands in the certificate's
 *     file
 */
public record TlsFiles(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {

    /** Trusts whom the JVM trusts, and shows no certificate of its own. */
    public static final TlsFiles NONE =
            new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * Checks that they belong together.
     *
     * @throws IllegalArgumentException if there is a key without a certificate
     */
    public TlsFiles {
        if (key.isPresent() && certificate.isEmpty()) {
            throw new IllegalArgumentException("key '%s' needs a certificate".formatted(key.get()));
        }
    }
}
