package io.phaseload.plan.check;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import io.phaseload.plan.journey.Extraction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The part of a response that a check looks at.
 *
 * @param kind its kind
 * @param expression a header's name, a JSON Pointer and the like, by the kind; empty for a kind without one
 * @param counted true if the number of values counts instead of the first value
 */
public record Subject(Kind kind, String expression, boolean counted) {

    /** The kinds of parts. */
    public enum Kind {
        /** The status, 100 to 599. */
        STATUS,
        /** The service time: from sending the request to the last byte of the response. */
        TIME,
        /** The length of the body in bytes; decoded, if the session decompresses. */
        SIZE,
        /** The media type of {@code Content-Type}. */
        TYPE,
        /** The body as text in UTF-8. */
        BODY,
        /** The body as bytes. */
        BYTES,
        /** The SHA-256 digest of the body. */
        SHA256,
        /** A JSON Schema that the body must meet; the expression is its file, or the document. */
        SCHEMA,
        /** The first header of a name. */
        HEADER,
        /** The value that the response sets a cookie to. */
        COOKIE,
        /** The value at a JSON Pointer (RFC 6901); {@code *} stands for each element or member. */
        JSON,
        /** The first value of a JSONPath (RFC 9535, as Jayway's JsonPath reads it). */
        JSONPATH,
        /** The text, or an attribute, of the first element that a CSS selector selects. */
        CSS,
        /** The first value of an XPath 1.0 expression of HTML. */
        XPATH;

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** {@return true if an expression follows its name} */
        boolean hasExpression() {
            return compareTo(SCHEMA) >= 0;
        }

        boolean ofHead() {
            return this == TYPE || this == HEADER || this == COOKIE;
        }

        boolean ofBody() {
            return this != STATUS && this != TIME && this != SIZE && !ofHead();
        }
    }

    /**
     * Checks the expression.
     *
     * @throws IllegalArgumentException naming the expression and what is allowed
     */
    public Subject {
        if (kind.hasExpression() == expression.isEmpty()) {
            throw new ValueException(kind.hasExpression() ? kind.key() + ":…" : "no expression after " + kind.key());
        }
        if (kind == Kind.SCHEMA) {
            Args.notBlank("schema", expression);
        } else if (kind.hasExpression()) {
            extraction(kind, expression);
        }
        if (counted && (!kind.hasExpression() || kind == Kind.SCHEMA)) {
            throw new ValueException("count: before header, cookie, json, jsonpath, css or xpath");
        }
    }

    /**
     * A kind by its name.
     *
     * @param name such as {@code json}
     * @return empty if there is none
     */
    static Optional<Kind> kind(String name) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.key().equals(name))
                .findFirst();
    }

    /**
     * {@return the place of its values in a response, for the kinds {@code HEADER} to {@code XPATH}; empty for the
     * others}
     */
    public Optional<Extraction> values() {
        return kind.hasExpression() && kind != Kind.SCHEMA
                ? Optional.of(extraction(kind, expression))
                : Optional.empty();
    }

    /**
     * The JSON Schema of the kind {@code SCHEMA}.
     *
     * @param folder the folder that its file is relative to
     * @return the document as UTF-8
     * @throws IllegalArgumentException if its file can't be read
     */
    public byte[] document(Path folder) {
        if (expression.startsWith("{")) {
            return expression.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Files.readAllBytes(folder.resolve(expression));
        } catch (IOException | InvalidPathException e) {
            throw new ValueException("", "a file that can be read, or a document, after schema:", e);
        }
    }

    private static Extraction extraction(Kind kind, String expression) {
        return Extraction.of("value", kind.key() + ":" + expression);
    }

    @Override
    public String toString() {
        return (counted ? "count:" : "") + kind.key() + (expression.isEmpty() ? "" : ":" + written(expression));
    }

    private static String written(String expression) {
        return CheckWord.isPlainExpression(expression) ? expression : CheckWord.quoted(expression);
    }
}
