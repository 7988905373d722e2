package io.phaseload.cli.run;

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

    /**
     * Reads a file.
     *
     * @param name its name, or {@link #STANDARD}
     * @throws java.nio.file.InvalidPathException if it can't be a name
     */
    byte[] read(String name) throws IOException {
        return read(name, Integer.MAX_VALUE);
    }

    /** Reads a file up to a number of bytes. */
    byte[] read(String name, int most) throws IOException {
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
