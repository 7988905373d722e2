package io.phaseload.plan.journey;

import io.phaseload.input.Args;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A message that a step waits for; others are passed over.
 *
 * @param message its condition
 * @param within the longest wait; empty for the target's response timeout
 */
public record Expectation(Matcher message, Optional<Duration> within) {

    /** Whatever comes. */
    public static final Expectation ANYTHING = new Expectation(new Anything(), Optional.empty());

    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if it isn't more than 0
     */
    public Expectation {
        within.ifPresent(time -> Args.positive("within", time));
    }

    /**
     * This expectation with another time.
     *
     * @param time see {@link #within()}
     * @return a copy
     * @throws IllegalArgumentException if it isn't more than 0
     */
    public Expectation within(Duration time) {
        return new Expectation(message, Optional.of(time));
    }

    /** The condition of a message. */
    public sealed interface Matcher {

        /**
         * Texts that differ by user and iteration.
         *
         * @return none of a matcher that is the same for all
         * @throws IllegalArgumentException if one can't be read
         */
        default List<Template> templates() {
            return List.of();
        }
    }

    /** Any message. */
    public record Anything() implements Matcher {}

    /**
     * A message of exactly this text.
     *
     * @param text a template
     */
    public record TextIs(String text) implements Matcher {
        @Override
        public List<Template> templates() {
            return List.of(Template.parse(text));
        }
    }

    /**
     * A message with this text in it.
     *
     * @param part a template
     */
    public record TextContains(String part) implements Matcher {
        @Override
        public List<Template> templates() {
            return List.of(Template.parse(part));
        }
    }

    /**
     * A message in which a regular expression is found.
     *
     * @param expression as {@link Pattern} has it
     */
    public record TextMatches(String expression) implements Matcher {

        /**
         * Checks the expression.
         *
         * @throws IllegalArgumentException if it isn't one
         */
        public TextMatches {
            Extraction.checkExpression("matches", expression);
        }
    }

    /**
     * A message of JSON with these values in it.
     *
     * @param values by JSON Pointer, at least one; templates of the text that each value has
     */
    public record JsonHas(Map<String, String> values) implements Matcher {

        /**
         * Checks the pointers.
         *
         * @throws IllegalArgumentException naming one that isn't one, or if there are none
         */
        public JsonHas {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
            Args.notEmpty("json", List.copyOf(values.keySet()));
            values.keySet().forEach(Extraction::checkPointer);
        }

        @Override
        public List<Template> templates() {
            return values.values().stream().map(Template::parse).toList();
        }
    }

    /**
     * A message of exactly these bytes.
     *
     * @param hex a template of two hexadecimal digits each
     */
    public record BytesAre(String hex) implements Matcher {

        /**
         * Checks the digits.
         *
         * @throws IllegalArgumentException if they aren't such
         */
        public BytesAre {
            SocketAction.checkHex(hex);
        }

        @Override
        public List<Template> templates() {
            return List.of(Template.parse(hex));
        }
    }
}
