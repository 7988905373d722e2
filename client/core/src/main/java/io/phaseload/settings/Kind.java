package io.phaseload.settings;

import io.phaseload.input.Args;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

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

    /** The kind of a declaration in the schema. */
    static Kind of(Map<String, String> declared) {
        String shared = declared.getOrDefault("$ref", "");
        String type = declared.getOrDefault("type", "");
        List<String> words = SettingTable.words(declared, "enum");
        Type own = declared.containsKey("x-repeated")
                ? Type.LIST
                : type.equals("boolean")
                        ? Type.FLAG
                        : type.equals("integer") || shared.endsWith("/count")
                                ? Type.COUNT
                                : shared.endsWith("/time") ? Type.TIME : Type.TEXT;
        return new Kind(
                own,
                Long.parseLong(declared.getOrDefault("minimum", shared.isEmpty() ? "0" : "1")),
                declared.containsKey("maximum") ? Long.parseLong(declared.get("maximum")) : Long.MAX_VALUE,
                words,
                declared.getOrDefault("x-expected", String.join(" or ", words)));
    }

    /** A count within its limits. */
    long parseCount(String text) {
        long count = Quantities.parseCount(text, least);
        if (count > most) {
            throw new ValueException("at most " + most);
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
            throw new ValueException(expected);
        }
        return text;
    }
}
