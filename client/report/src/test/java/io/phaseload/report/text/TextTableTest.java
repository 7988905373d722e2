package io.phaseload.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {

    private static String written(TextTable table, int columns) {
        StringBuilder out = new StringBuilder();
        table.appendTo(out, columns);
        return out.toString();
    }

    private static TextTable table(String name) {
        TextTable table = new TextTable(1, "name", "first", "second", "third");
        table.row(name, "1", "2", "3");
        table.row("b", "10", "20", "30");
        return table;
    }

    @Test
    void whatFitsIsOnePart() {
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
    void whatIsTooWideIsFoldedBesideItsNames() {
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
    void theSentenceOfARowStandsBelowIt() {
        TextTable table = new TextTable(3, "  ", "threshold", "observed");
        table.row("  ok", "p99 < 1s", "no more than 200 ms in all phases");
        assertThat(written(table, 30))
                .isEqualTo(
                        """
                              threshold
                              observed
                          ok  p99 < 1s
                              no more than 200 ms in all phases
                        """);
    }
}
