package io.phaseload.cli.command;

import io.phaseload.options.UsageException;
import io.phaseload.settings.Given;
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
            throw new UsageException(option + " " + value + ": " + Given.expected(e, expected));
        }
    }
}
