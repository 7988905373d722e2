package io.phaseload.host.linux;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Files of {@code /proc} as Linux 6.18 wrote them. */
public final class Captured {

    private Captured() {}

    /**
     * A file.
     *
     * @param name its own
     * @return all of it
     */
    public static String text(String name) {
        try (InputStream in = Captured.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
