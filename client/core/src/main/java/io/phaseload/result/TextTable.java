package io.phaseload.result;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of text, as wide as their widest cell; the first ones to the left, the rest right. Not
 * thread-safe.
 */
public final class TextTable {

    private final int leftColumns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A table without a row.
     *
     * @param leftColumns how many columns are to the left
     * @param header the columns' names
     */
    public TextTable(int leftColumns, String... header) {
        this.leftColumns = leftColumns;
        rows.add(List.of(header));
    }

    /**
     * Adds a row.
     *
     * @param cells as many as there are columns
     */
    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    /**
     * Writes the table.
     *
     * @param out where to; every line ends in a line feed
     */
    public void appendTo(StringBuilder out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "" : "  ");
                line.append(i < leftColumns ? row.get(i) + padding : padding + row.get(i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    /**
     * Writes the table as Markdown.
     *
     * @param out where to; every line ends in a line feed
     */
    public void appendMarkdownTo(StringBuilder out) {
        out.append(Markdown.head(leftColumns, rows.get(0)));
        for (List<String> row : rows.subList(1, rows.size())) {
            out.append(Markdown.row(row.stream().map(Markdown::text).toList()));
        }
    }
}
