package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.response.Fuzz;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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

    @Test
    void aPlanOrASettingsException() throws Exception {
        List<byte[]> corpus = new ArrayList<>();
        for (String name : List.of("shop", "login", "model", "chat", "django-admin")) {
            corpus.add(Files.readAllBytes(Path.of("../../examples", name + ".yaml")));
        }
        long count = Fuzz.run(corpus, WORDS, (input, random) -> {
            try {
                PlanFile.of(SettingsFile.parse("plan.yaml", "plan.yaml", input), Optional.empty());
            } catch (SettingsException | CharacterCodingException said) {
                assertThat(said instanceof CharacterCodingException
                                || !said.getMessage().isBlank())
                        .isTrue();
            }
        });
        assertThat(count).isPositive();
    }
}
