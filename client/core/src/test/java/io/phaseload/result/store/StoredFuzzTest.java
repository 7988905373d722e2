package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.response.Fuzz;
import io.phaseload.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a results folder holds: a run, or the exception that says what is wrong with it. */
class StoredFuzzTest {

    private static final List<String> WORDS = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            ":",
            "null",
            "-1",
            "1e999",
            "NaN",
            "9223372036854775808",
            "<b>",
            "=",
            "\n",
            "\0",
            "HISTF",
            "Tag=",
            "0.000000000",
            "%");

    @TempDir
    private Path folder;

    @Test
    void aRunOrAnIoException() throws Exception {
        Path given = Path.of("src/test/resources/io/phaseload/result/v2");
        List<String> names = List.of("result.json", "intervals.csv", "latency.hlog");
        for (String changed : names) {
            for (String name : names) {
                Files.write(folder.resolve(name), Files.readAllBytes(given.resolve(name)));
            }
            List<byte[]> corpus = List.of(Files.readAllBytes(given.resolve(changed)));
            long count = Fuzz.run(corpus, WORDS, (input, random) -> {
                Files.write(folder.resolve(changed), input);
                try {
                    StoredRun.read(folder).result();
                } catch (SettingsException | IOException said) {
                    assertThat(said.getMessage()).isNotBlank();
                }
            });
            assertThat(count).isPositive();
        }
    }
}
