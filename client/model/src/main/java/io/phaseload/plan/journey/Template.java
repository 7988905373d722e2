package io.phaseload.plan.journey;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A text in which values are filled in for each user and iteration. As text:
 *
 * <pre>
 * template = *( literal | "{" name "}" | "{" function [ ":" argument ] "}" | "{{" )
 * name     = a variable, an extraction, or feeder.column
 * function = counter | counter:user | random:FROM..TO | uuid | now | now:s | now:us | user
 *          | iteration [ ":" FROM..TO ] | base64:TEMPLATE | base64url:TEMPLATE | hex:TEMPLATE | urlencode:TEMPLATE
 *          | json:TEMPLATE | hmac:NAME:TEMPLATE | hs256:NAME:TEMPLATE | jwt:NAME:TEMPLATE
 * </pre>
 *
 * <p>A brace is a brace where no name follows it, as in JSON; two of them are one. Within a function such braces come
 * in pairs, so that JSON may be its text.
 *
 * @param text as it was written
 * @param parts of it, in order
 */
public record Template(String text, List<Part> parts) {

    /** A part of a template; its text is as it is written. */
    public sealed interface Part {}

    /**
     * The constant part.
     *
     * @param text not empty
     */
    public record Literal(String text) implements Part {
        @Override
        public String toString() {
            return quoted(text);
        }
    }

    /**
     * The value of a name.
     *
     * @param name such as {@code id} or {@code accounts.name}
     */
    public record Value(String name) implements Part {
        @Override
        public String toString() {
            return "{" + name + "}";
        }
    }

    /**
     * A number of a user, of its iterations or of the run.
     *
     * @param source the source
     * @param from the least, of {@link PlaceholderSource#RANDOM} and {@link PlaceholderSource#ITERATION_IN_TURN}
     * @param to the most, of these
     */
    public record Built(PlaceholderSource source, long from, long to) implements Part {
        @Override
        public String toString() {
            String range = source.hasRange() ? ":" + from + ".." + to : "";
            return "{" + source + range + "}";
        }
    }

    /**
     * A template whose result is encoded.
     *
     * @param encoding the encoding
     * @param key the name whose value is the key, of an encoding that {@link Encoding#hasKey() has one}; otherwise
     *     empty
     * @param of the text to encode
     */
    public record Encoded(Encoding encoding, String key, Template of) implements Part {
        @Override
        public String toString() {
            String function = encoding.name().toLowerCase(Locale.ROOT);
            return "{" + function + ":" + (key.isEmpty() ? "" : key + ":") + of + "}";
        }
    }

    /** A placeholder that makes its own values. */
    public enum PlaceholderSource {
        /** 1, 2, 3, … over all users of a run. */
        COUNTER,
        /** 1, 2, 3, … of the user in a run. */
        COUNTER_OF_USER,
        /** A whole number of a range, uniformly distributed. */
        RANDOM,
        /** A random UUID, of version 4. */
        UUID,
        /** Milliseconds since 1970. */
        NOW,
        /** Seconds since 1970. */
        NOW_IN_SECONDS,
        /** Microseconds since 1970. */
        NOW_IN_MICROS,
        /** The user's index, from 0. */
        USER,
        /** How many iterations the user began before this one in the run. */
        ITERATION,
        /** The numbers of a range in turn, one for each of the user's iterations. */
        ITERATION_IN_TURN;

        boolean hasRange() {
            return this == RANDOM || this == ITERATION_IN_TURN;
        }

        /** Whether it is the same wherever it is taken within an iteration. */
        boolean isSteady() {
            return this == USER || this == ITERATION || this == ITERATION_IN_TURN;
        }

        /** {@return its text in a template, without its range} */
        @Override
        public String toString() {
            return switch (this) {
                case COUNTER_OF_USER -> "counter:user";
                case ITERATION_IN_TURN -> "iteration";
                case NOW_IN_SECONDS -> "now:s";
                case NOW_IN_MICROS -> "now:us";
                default -> name().toLowerCase(Locale.ROOT);
            };
        }
    }

    /** How a value is written. */
    public enum Encoding {
        /** Base64 (RFC 4648 §4) of its UTF-8. */
        BASE64,
        /** Base64url without padding (RFC 4648 §5) of its UTF-8. */
        BASE64URL,
        /** Its UTF-8 in hexadecimal digits. */
        HEX,
        /** Percent-encoded UTF-8: letters, digits and {@code -._~} stay. */
        URLENCODE,
        /** As it stands between the quotes of JSON. */
        JSON,
        /** HMAC-SHA-256 of its UTF-8, in hexadecimal digits. */
        HMAC,
        /** HMAC-SHA-256 of its UTF-8, in base64url without padding: the signature of a JWT. */
        HS256,
        /** The JWT (RFC 7519) with these claims, signed with HS256. */
        JWT;

        /** {@return true if it needs a key} */
        public boolean hasKey() {
            return this == HMAC || this == HS256 || this == JWT;
        }
    }

    /** Copies the parts. */
    public Template {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a template.
     *
     * @param text see above
     * @throws IllegalArgumentException with a message that begins with "expected", and points at the character
     */
    public static Template parse(String text) {
        return new TemplateText(text).template();
    }

    /**
     * Writes a text so that it is read as it is.
     *
     * @param literal any text
     * @return it with its braces doubled
     */
    public static String quoted(String literal) {
        return literal.replace("{", "{{");
    }

    /**
     * Checks the name of a value.
     *
     * @param name of a variable, for one
     * @return the name
     * @throws IllegalArgumentException if templates can't take it
     */
    public static String checkName(String name) {
        return Extraction.checkName(name);
    }

    /** {@return true if it is the same each time: {@code true} without values} */
    public boolean isLiteral() {
        return parts.stream().allMatch(Literal.class::isInstance);
    }

    /**
     * The text without its values, for checks of what is the same each time.
     *
     * @param value stands in the place of each value
     */
    public String withValues(String value) {
        StringBuilder all = new StringBuilder();
        for (Part part : parts) {
            all.append(part instanceof Literal literal ? literal.text() : value);
        }
        return all.toString();
    }

    /** {@return all that is the same each time: also within what is encoded} */
    public String literals() {
        StringBuilder all = new StringBuilder();
        for (Part part : parts) {
            if (part instanceof Literal literal) {
                all.append(literal.text());
            } else if (part instanceof Encoded encoded) {
                all.append(encoded.of().literals());
            }
        }
        return all.toString();
    }

    /** {@return the names whose values it takes: in order} */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (part instanceof Value value) {
                names.add(value.name());
            } else if (part instanceof Encoded encoded) {
                if (!encoded.key().isEmpty()) {
                    names.add(encoded.key());
                }
                names.addAll(encoded.of().names());
            }
        }
        return names;
    }

    /** {@return the first value in it that is another one each time that it is taken} */
    public Optional<Part> changing() {
        for (Part part : parts) {
            if (part instanceof Built built && !built.source().isSteady()) {
                return Optional.of(part);
            }
            if (part instanceof Encoded encoded) {
                Optional<Part> within = encoded.of().changing();
                if (within.isPresent()) {
                    return within;
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
