package io.phaseload.cli.run;

import io.phaseload.options.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads files and standard input, each only once: it may be a pipe, and a sweep makes several plans. Not thread-safe.
 */
final class Inputs {

    /** The name of standard input. */
    static final String STANDARD = "-";

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
    byte[] read(String name, String option) throws IOException {
        return read(name, option, Integer.MAX_VALUE);
    }

    /** Reads a file up to a number of bytes. */
    byte[] read(String name, String option, int most) throws IOException {
        if (name.equals(STANDARD)) {
            if (ofStandard != null && !ofStandard.equals(option)) {
                throw new UsageException("%s cannot be combined with %s".formatted(option, ofStandard));
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
}
