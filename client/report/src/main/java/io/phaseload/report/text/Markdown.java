package io.phaseload.report.text;

import java.util.List;
import java.util.stream.Collectors;

/** What summaries in Markdown are made of. */
public final class Markdown {

    private Markdown() {}

    /**
     * Text that Markdown takes for nothing but text, on one line and in one cell of a table.
     *
     * @param text any
     * @return with backslashes
     */
    public static String text(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("([\\\\`*_<>|#~\\[&])", "\\\\$1");
    }

    /**
     * The head of a table, with a rule below.
     *
     * @param leftColumns how many columns are to the left; the rest is to the right
     * @param names of the columns, as text
     * @return two lines that end in line feeds
     */
    public static String head(int leftColumns, List<String> names) {
        return row(names.stream().map(Markdown::text).toList())
                + "|---".repeat(leftColumns)
                + "|---:".repeat(names.size() - leftColumns)
                + "|\n";
    }

    /**
     * A row of a table.
     *
     * @param cells as Markdown
     * @return a line that ends in a line feed
     */
    public static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
