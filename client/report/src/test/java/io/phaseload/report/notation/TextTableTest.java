package io.phaseload.report.notation;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    private static String written(Table table, int columns) {
        return TextTable.write(table, columns);
    }

    private static Table table(String name) {
        return new Table(
                "numbers",
                List.of(
                        Column.text("name"),
                        new Column("first", "first", "", 0),
                        new Column("second", "second", "", 0),
                        new Column("third", "third", "", 0)),
                List.of(List.of(name, 1, 2, 3), List.of("b", 10, 20, 30)));
    }

    @Test
    void aTableThatFitsIsOnePart() {
        assertThat(written(table("a"), 26))
                .isEqualTo(
                        """
                        name  first  second  third
                        a         1       2      3
                        b        10      20     30
                        """)
                .isEqualTo(written(table("a"), TextTable.WIDE));
    }

    @Test
    void aWideTableIsFolded() {
        assertThat(written(table("a"), 25))
                .isEqualTo(
                        """
                        name  first  second
                        a         1       2
                        b        10      20

                        name  third
                        a         3
                        b        30
                        """);
    }

    @Test
    void aLongNameIsCut() {
        assertThat(written(table("a name that is much too long"), 20))
                .isEqualTo(
                        """
                        name          first
                        a name that…      1
                        b                10

                        name          second
                        a name that…       2
                        b                 20

                        name          third
                        a name that…      3
                        b                30
                        """);
    }

    @Test
    void theRemarkOfARowFollowsIt() {
        Table table = new Table(
                "thresholds",
                List.of(Column.text("outcome"), Column.text("threshold"), Column.text("observed")),
                List.of(List.of("ok", "p99 < 1s", "no more than 200 ms in all phases")));
        assertThat(written(table, 30))
                .isEqualTo(
                        """
                        outcome  threshold
                                 observed
                        ok       p99 < 1s
                                 no more than 200 ms in all phases
                        """);
    }
}
