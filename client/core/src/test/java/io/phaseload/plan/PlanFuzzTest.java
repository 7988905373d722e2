package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.response.Fuzz;
import io.phaseload.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a plan's file says: a plan, or the exception that says what is wrong with it. */
class PlanFuzzTest {

    private static final List<String> WORDS = List.of(
            "- ",
            ": ",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "'",
            "&a ",
            "*a",
            "!!x ",
            "|",
            "\n",
            "#",
            "~",
            "-1",
            "1e999",
            "0x1f",
            "{{",
            "null",
            "true",
            "99999999999999999999",
            "\0",
            "\t");

    @TempDir
    private Path folder;

    @Test
    void aPlanOrASettingsException() throws Exception {
        List<byte[]> corpus = new ArrayList<>();
        for (String name : List.of("shop", "login", "model", "chat", "django-admin")) {
            corpus.add(Files.readAllBytes(Path.of("../../examples", name + ".yaml")));
        }
        Path file = folder.resolve("plan.yaml");
        long count = Fuzz.run(corpus, WORDS, (input, random) -> {
            Files.write(file, input);
            try {
                Plan.read(file);
            } catch (SettingsException | IOException said) {
                assertThat(said.getMessage()).isNotBlank();
            }
        });
        assertThat(count).isPositive();
    }
}
