package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Whatever is wrong with a command line: one exact line, exit code 2, and nothing else happens. */
public final class Usage {

    private Usage() {}

    /** A command line, and what is said of it. */
    public static Arguments wrong(String message, String... line) {
        return arguments(message, List.of(line));
    }

    public static void assertRefused(String message, List<String> line, Path out) {
        Stream<String> all = Stream.concat(Stream.of("--out", out.toString()), line.stream());
        assertThat(Cli.run(all.toArray())).isEqualTo(usage(message));
        assertThat(out).doesNotExist();
    }

    public static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
