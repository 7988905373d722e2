package io.phaseload.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that are files of the jar. */
public final class Texts {

    private Texts() {}

    /**
     * Reads a text.
     *
     * @param beside the class whose package has the file
     * @return the text with its line feeds
     */
    public static String of(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
