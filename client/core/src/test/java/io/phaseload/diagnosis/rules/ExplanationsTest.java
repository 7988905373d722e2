package io.phaseload.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExplanationsTest {

    private static final String MARKER = "<!-- diagnoses -->\n";

    @Test
    void everyIdIsExplained() {
        assertThat(Explanations.ids())
                .doesNotHaveDuplicates()
                .contains("rate-limit", "run-queue")
                .allSatisfy(id -> assertThat(Explanations.of(id)).isPresent());
        assertThat(Explanations.of("weather")).isEmpty();
    }

    @Test
    void evidenceIsNamed() {
        assertThat(Explanations.of("rate-limit").orElseThrow())
                .element(1)
                .asString()
                .startsWith("It says: <refused> of <requests> requests<of> were refused with status" + " <status>");
    }

    @Test
    void thePageHasThemAll() throws Exception {
        Path page = Path.of(System.getProperty("basedir", ""), "..", "..", "docs", "diagnosis.md");
        String text = Files.readString(page);
        String head = text.substring(0, text.indexOf(MARKER) + MARKER.length());
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(page, head + "\n" + Explanations.markdown());
        }

        assertThat(Files.readString(page)).isEqualTo(head + "\n" + Explanations.markdown());
    }
}
