package io.phaseload.settings;

import io.phaseload.input.Args;
import io.phaseload.options.Quantities;
import java.time.Duration;
import java.util.List;

/**
 * What the values of a setting are, and what is allowed of them.
 *
 * @param type what they are
 * @param least of counts: the smallest one
 * @param most of counts: the largest one
 * @param words that can be chosen from; empty for any text
 * @param expected what a text must look like, in words; empty where numbers say it themselves
 */
public record Kind(Type type, long least, long most, List<String> words, String expected) {

    /** What a value is. */
    public enum Type {
        /** True or false; on a command line it is there or it isn't. */
        FLAG,
        /** A whole number, such as {@code 100} or {@code 10k}. */
        COUNT,
        /** A time, such as {@code 250ms}. */
        TIME,
        /** A text. */
        TEXT,
        /** Texts or nested values, each of which counts. */
        LIST
    }

    static final Kind FLAG = new Kind(Type.FLAG, 0, 0, List.of(), "");

    static final Kind TIME = new Kind(Type.TIME, 0, 0, List.of(), "");

    static Kind count(long least, long most) {
        return new Kind(Type.COUNT, least, most, List.of(), "");
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
