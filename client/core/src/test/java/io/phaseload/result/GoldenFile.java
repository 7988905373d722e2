package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A text that is expected to the letter. {@code -Dgolden.update=true} writes it again; look at what git says then.
 *
 * @param test among whose package's resources it is
 * @param name the file's
 */
public record GoldenFile(Class<?> test, String name) {

    /** Fails unless the file holds this text. */
    public void assertIs(String text) {
        Path folder =
                Path.of("src/test/resources").resolve(test.getPackageName().replace('.', '/'));
        Path file = folder.resolve(name);
        try {
            if (Boolean.getBoolean("golden.update") && Locale.getDefault().equals(Locale.ROOT)) {
                Files.createDirectories(folder);
                Files.writeString(file, text);
            }
            assertThat(text).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
