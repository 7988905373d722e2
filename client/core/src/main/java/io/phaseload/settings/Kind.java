package io.phaseload.settings;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import io.phaseload.options.Quantities;
import java.time.Duration;
import java.util.List;

/**
 * The type of a setting's values, and which are allowed.
 *
 * @param type their type
 * @param least the smallest count
 * @param most the largest count
 * @param words the words to choose from; empty for any text
 * @param expected the expected format of a text, for messages; empty for numbers, which have limits
 */
public record Kind(Type type, long least, long most, List<String> words, String expected) {

    /** The type of a value. */
    public enum Type {
        /** True or false; on a command line, present or absent. */
        FLAG,
        /** A whole number, such as {@code 100} or {@code 10k}. */
        COUNT,
        /** A time, such as {@code 250ms}. */
        TIME,
        /** A text. */
        TEXT,
        /** A list of texts or nested values. */
        LIST
    }

    static final Kind FLAG = new Kind(Type.FLAG, 0, 0, List.of(), "");

    static final Kind TIME = new Kind(Type.TIME, 0, 0, List.of(), "");

    static Kind count(long least, long most) {
        return new Kind(Type.COUNT, least, most, List.of(), "");
    }

    static Kind count(Limit limit) {
        return count(limit.least(), limit.most());
    }

    static Kind text(String expected) {
        return new Kind(Type.TEXT, 0, 0, List.of(), expected);
    }

    static Kind word(String... words) {
        return new Kind(Type.TEXT, 0, 0, List.of(words), String.join(" or ", words));
    }

    static Kind list(String expected) {
        return new Kind(Type.LIST, 0, 0, List.of(), expected);
    }

    /** A count within its limits. */
    long parseCount(String text) {
        long count = Quantities.parseCount(text, least);
        if (count > most) {
            throw new IllegalArgumentException("expected at most " + most);
        }
        return count;
    }

    /** A time within the limits of {@link Args#positive}. */
    static Duration parseTime(String text) {
        return Args.positive("time", Quantities.parseDuration(text, false));
    }

    /** One of the words, or any text where there are none. */
    String parseText(String text) {
        if (!words.isEmpty() && !words.contains(text)) {
            throw new IllegalArgumentException("expected " + expected);
        }
        return text;
    }
}
