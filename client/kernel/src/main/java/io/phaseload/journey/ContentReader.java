package io.phaseload.journey;

import io.phaseload.plan.journey.Extraction;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads bodies with libraries that this module doesn't have; found on the class path. Thread-safe. */
public interface ContentReader {

    /** Finds values in bodies. Thread-safe. */
    @FunctionalInterface
    interface Finder {

        /**
         * Finds them.
         *
         * @param body its first MiB
         * @return in the document's order; none if it isn't such a document
         */
        List<String> find(byte[] body);

        /**
         * Whether the first value is a text of a JSON document, even if it looks like a number.
         *
         * @param body its first MiB
         * @return {@code false} for values without a type
         */
        default boolean isText(byte[] body) {
            return false;
        }
    }

    /**
     * Prepares an expression.
     *
     * @param language one of those that are {@linkplain Extraction#ofLibrary() of a library}
     * @param expression in that language
     * @throws IllegalArgumentException with a message that begins with "expected", if it isn't one
     */
    Finder finder(Extraction.ResponsePart language, String expression);

    /**
     * Prepares a regular expression of RE2's syntax, which takes linear time.
     *
     * @param expression the regular expression
     * @return true if it matches somewhere in a text
     * @throws IllegalArgumentException with a message that begins with "expected", if it isn't one
     */
    Predicate<String> pattern(String expression);

    /**
     * Prepares a JSON Schema (draft 4 to 2020-12, by its {@code $schema}; 2020-12 without one). It loads no other
     * document.
     *
     * @param schema the document
     * @return the first deviation of a body from it; empty if there is none
     * @throws IllegalArgumentException with a message that begins with "expected", if it isn't one
     */
    Function<byte[], Optional<String>> schema(byte[] schema);

    /**
     * Decodes a body (RFC 7932, RFC 8878).
     *
     * @param coding {@code br} or {@code zstd}
     * @param body its beginning
     * @return its content, which breaks off with an exception if the body does
     * @throws IOException if it isn't in this coding, or this system can't read it
     */
    InputStream decoded(String coding, InputStream body) throws IOException;

    /** Finds the libraries; empty if they aren't on the class path. */
    static Optional<ContentReader> find() {
        return ServiceLoader.load(ContentReader.class, ContentReader.class.getClassLoader())
                .findFirst();
    }

    /**
     * Finds the libraries.
     *
     * @throws IllegalArgumentException if they aren't on the class path
     */
    static ContentReader required() {
        return find().orElseThrow(
                        () -> new IllegalArgumentException("expected phaseload-content on the class path, which has"
                                + " the libraries for JSONPath, CSS, XPath, JSON Schema and"
                                + " regular expressions"));
    }
}
