package io.phaseload.sweep.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.sweep.rows.TrialCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialTableTest {

    private static final List<String> COLUMNS = List.of("step", "trial", "operation", "status", "reason", "label");

    private static final List<TrialRow> FIRST =
            List.of(Rows.ok(1, 1, "label", "a, \"b\"\nc"), Rows.ok(1, 1, "operation", "POST /", "label", "größe"));

    @TempDir
    private Path folder;

    @Test
    void rowsRoundTrip() throws Exception {
        TrialCsv.write(folder, TrialTable.of(COLUMNS, List.of()));
        TrialCsv.append(folder, COLUMNS, FIRST);

        TrialTable back = TrialCsv.read(folder);

        assertThat(back.columns()).isEqualTo(COLUMNS);
        assertThat(back.rows()).extracting(row -> row.text("label")).containsExactly("a, \"b\"\nc", "größe");
        assertThat(back.rows()).allMatch(TrialRow::isOk);
        assertThat(back.has(new Trial(Rows.step(1), 1))).isTrue();
        assertThat(back.has(new Trial(Rows.step(1), 2))).isFalse();
    }

    /** Killed after the first of two rows, and in the middle of one. */
    @Test
    void aTruncatedTrialIsRunAgain() throws Exception {
        TrialCsv.write(folder, TrialTable.of(COLUMNS, FIRST));
        append("1,2,GET /,ok,,x\n");
        append("1,2,POST /,o");

        TrialTable back = TrialCsv.read(folder);
        assertThat(back.rows()).hasSize(3);
        TrialTable whole = back.wholeTrials(2);

        assertThat(whole.rows()).isEqualTo(back.rows().subList(0, 2));
        assertThat(whole.plus(FIRST).rows()).hasSize(4);
    }

    @Test
    void otherFilesAreRejected() throws Exception {
        append("");
        assertThatThrownBy(() -> TrialCsv.read(folder)).isInstanceOf(IOException.class);
        append("a,b\n1\n");
        assertThatThrownBy(() -> TrialCsv.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("row 2 has 1 cells: expected 2");
    }

    private void append(String text) throws IOException {
        Files.writeString(folder.resolve(TrialCsv.FILE), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
