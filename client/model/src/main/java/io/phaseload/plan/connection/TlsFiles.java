package io.phaseload.plan.connection;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * PEM files that say whom the client trusts and who it is. They are read when a run begins; a plan holds only their
 * names.
 *
 * @param authorities certificates to trust in place of the JVM's
 * @param certificate the certificate that the client shows to a server that asks for one, followed by its chain
 * @param key the certificate's private key, not encrypted; if it is left out, it is in the certificate's file
 */
public record TlsFiles(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {

    /** Trusts whom the JVM trusts, and shows no certificate. */
    public static final TlsFiles NONE = new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty());

    /** {@return the files that there are} */
    public List<Path> all() {
        return Stream.of(authorities, certificate, key)
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * The same at other places.
     *
     * @param places the new place of each
     * @return a copy
     */
    public TlsFiles at(UnaryOperator<Path> places) {
        return new TlsFiles(authorities.map(places), certificate.map(places), key.map(places));
    }

    /**
     * Checks that they go together.
     *
     * @throws IllegalArgumentException if there is a key without a certificate
     */
    public TlsFiles {
        if (key.isPresent() && certificate.isEmpty()) {
            throw new IllegalArgumentException("key '%s' needs a certificate".formatted(key.get()));
        }
    }
}
