package io.phaseload.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is what is read, and no spreadsheet computes it. */
class CsvTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+cmd|' /C calc'!A0",
                "-2+3",
                "@SUM(A1)",
                "\t=1",
                "\r=1",
                "'=1",
                "''-x",
                "=\"a\",\nb",
                "-"
            })
    void aFormulaIsText(String text) {
        String written = Csv.quoted(text);
        assertThat(written.replaceFirst("^\"", "")).startsWith("'");
        assertThat(Csv.cells(Csv.record(List.of(text, "1")))).containsExactly(text, "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1.5", "+2", "-3e-7", "0", "'quoted'", "'", "", "GET /", "a=b"})
    void anythingElseIsAsItWas(String text) {
        assertThat(Csv.quoted(text)).isEqualTo(text);
        assertThat(Csv.cells(text)).containsExactly(text);
    }

    @Test
    void namesOfColumnsAreTexts() {
        assertThat(Csv.record(List.of("=a", "-1"))).isEqualTo("'=a,-1");
    }
}
