package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.phaseload.options.UsageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM in the locale C makes of a command line, and what was typed. */
class TypedArgumentsTest {

    private static final String[] DECODED = {"--body", "a\ufffd\ufffd", "-c", "1"};

    @TempDir
    private Path folder;

    private Path line(byte[] body) throws Exception {
        Path file = folder.resolve("cmdline");
        Files.write(file, "java\0-jar\0x.jar\0--body\0a".getBytes(StandardCharsets.UTF_8));
        byte[] all = Files.readAllBytes(file);
        byte[] rest = "\0-c\0001\0".getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[all.length + body.length + rest.length];
        System.arraycopy(all, 0, whole, 0, all.length);
        System.arraycopy(body, 0, whole, all.length, body.length);
        System.arraycopy(rest, 0, whole, all.length + body.length, rest.length);
        return Files.write(file, whole);
    }

    @Test
    void areReadAgainWhereTheLocaleLostThem() throws Exception {
        Path line = line("ü".getBytes(StandardCharsets.UTF_8));

        assertThat(TypedArguments.of(DECODED, line)).containsExactly("--body", "aü", "-c", "1");
    }

    @Test
    void areTakenAsTheyAreWhereNothingIsLost() throws Exception {
        String[] decoded = {"--body", "ü"};

        assertThat(TypedArguments.of(decoded, folder.resolve("none"))).isSameAs(decoded);
    }

    @Test
    void areRefusedWhereTheyAreNotUtf8OrCantBeRead() throws Exception {
        for (Path line : new Path[] {line(new byte[] {(byte) 0xfc}), folder.resolve("none")}) {
            assertThatExceptionOfType(UsageException.class)
                    .isThrownBy(() -> TypedArguments.of(DECODED, line))
                    .withMessageContaining("expected text in UTF-8");
        }
    }
}
