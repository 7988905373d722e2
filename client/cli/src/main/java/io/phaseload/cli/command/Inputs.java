package io.phaseload.cli.command;

import io.phaseload.options.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads files and standard input, each only once: it may be a pipe, and a sweep makes several plans. Not thread-safe.
 */
public final class Inputs {

    /** The name of standard input. */
    public static final String STANDARD = "-";

    private static final String VARIABLE = "env:";

    private final Map<String, byte[]> contents = new HashMap<>();
    private String ofStandard;

    /**
     * Reads a file.
     *
     * @param name its name, or {@link #STANDARD}
     * @param option the option and its value, for messages
     * @throws java.nio.file.InvalidPathException if it can't be a name
     * @throws UsageException if another option has read standard input
     */
    public byte[] read(String name, String option) throws IOException {
        return read(name, option, Integer.MAX_VALUE);
    }

    /** Reads a file up to a number of bytes. */
    public byte[] read(String name, String option, int most) throws IOException {
        if (name.equals(STANDARD)) {
            if (ofStandard != null && !ofStandard.equals(option)) {
                throw new UsageException("%s cannot be combined with %s", option, ofStandard);
            }
            ofStandard = option;
        }
        byte[] known = contents.get(name);
        if (known == null) {
            try (InputStream in = name.equals(STANDARD) ? System.in : Files.newInputStream(Path.of(name))) {
                known = in.readNBytes(most);
            }
            contents.put(name, known);
        }
        return known;
    }

    /** A file's content, or a message that names the option. */
    public byte[] content(String name, String option) {
        try {
            return read(name, option);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(option + ": expected a readable file");
        }
    }

    /**
     * The text that an option's value stands for.
     *
     * @param reference {@code env:NAME}, {@code @FILE} or {@link #STANDARD}
     * @param option the option and the reference, for messages
     */
    public String referenced(String reference, String option) {
        if (!reference.startsWith(VARIABLE)) {
            String name = reference.equals(STANDARD) ? reference : reference.substring(1);
            return new String(content(name, option), StandardCharsets.UTF_8);
        }
        String text = System.getenv(reference.substring(VARIABLE.length()));
        UsageException.throwIf(text == null, "%s: expected a variable that is set", option);
        return text;
    }
}
