package io.phaseload.report.charts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The files of pages and charts. */
public final class Resources {

    private Resources() {}

    /**
     * Reads a file.
     *
     * @param name its path below {@code io/phaseload/report}
     * @return its text; each line ends in a line feed
     */
    public static String text(String name) {
        try (InputStream in = Resources.class.getResourceAsStream("/io/phaseload/report/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + " isn't in this jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
