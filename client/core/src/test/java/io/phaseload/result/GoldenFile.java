package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A text that is expected to the letter. {@code -Dgolden.update=true} writes it anew; look at what
 * git says then.
 *
 * @param name in this package's test resources
 */
record GoldenFile(String name) {

    private static final Path FOLDER = Path.of("src/test/resources/io/phaseload/result");

    void assertIs(String text) {
        Path file = FOLDER.resolve(name);
        try {
            if (Boolean.getBoolean("golden.update") && Locale.getDefault().equals(Locale.ROOT)) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, text);
            }
            assertThat(text).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
