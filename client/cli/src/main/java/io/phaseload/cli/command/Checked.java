package io.phaseload.cli.command;

import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import io.phaseload.options.ValueException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Turns the library's message about a bad value into one that names the option. */
public final class Checked {

    private Checked() {}

    /** Content that is read from files, or made of what they contain. */
    public interface FileSource<T> {

        T get() throws IOException;
    }

    /**
     * Uses a file that an option or an argument names.
     *
     * @param given the option and its value
     * @param expected the file that would be right
     * @throws UsageException with the reason, if it can't be used
     */
    public static <T> T file(String given, String expected, FileSource<T> source) {
        try {
            return source.get();
        } catch (IOException e) {
            throw new UsageException("%s: expected %s: %s", given, expected, FileProblem.of(e));
        }
    }

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
        UsageException.throwIf(
                !known.containsAll(words), "%s %s: expected some of %s", option, list, String.join(",", known));
        return words;
    }
}
