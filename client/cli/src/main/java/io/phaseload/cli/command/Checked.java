package io.phaseload.cli.command;

import io.phaseload.options.UsageException;
import io.phaseload.options.ValueException;
import java.util.List;
import java.util.function.Function;

/** Turns the library's message about a bad value into one that names the option. */
public final class Checked {

    private Checked() {}

    /**
     * Reads a value.
     *
     * @param option as the user wrote it
     * @param value as the user wrote it, without secrets
     * @param expected used if the library's message doesn't say what it expected
     */
    public static <T> T value(String option, String value, Function<String, T> parse, String expected) {
        try {
            return parse.apply(value);
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + " " + value + ": expected " + ValueException.expected(e, expected));
        }
    }

    /**
     * The words of a list.
     *
     * @param list the words, separated by commas
     * @param known those that there are
     * @throws UsageException naming those that there are, if one of the words isn't among them
     */
    public static List<String> some(String option, String list, List<String> known) {
        List<String> words = List.of(list.split(","));
        if (!known.containsAll(words)) {
            throw new UsageException("%s %s: expected some of %s".formatted(option, list, String.join(",", known)));
        }
        return words;
    }
}
