package io.phaseload.report.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Columns of text, as wide as their widest cell; the first ones to the left, the rest right. Not
 * thread-safe.
 */
public final class TextTable {

    /** As many columns as a table has. */
    public static final int WIDE = Integer.MAX_VALUE;

    /** What is left of a column that is cut. */
    private static final int NARROWEST = 8;

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
     * Writes the table, however wide it is.
     *
     * @param out where to; every line ends in a line feed
     */
    public void appendTo(StringBuilder out) {
        appendTo(out, WIDE);
    }

    /**
     * Writes the table so that its lines fit. One that is wider is folded: its columns stand one
     * part below the other, each part with the columns to the left, whose longest cells are cut.
     *
     * @param out where to; every line ends in a line feed
     * @param columns how many characters a line may have; {@link #WIDE} for any number
     */
    public void appendTo(StringBuilder out, int columns) {
        int[] widths = widths();
        int last = widths.length;
        if (width(widths, 0, last) <= columns) {
            appendPart(out, widths, 0, 0);
            return;
        }
        if (leftColumns == last) {
            appendWithLastBelow(out, widths);
            return;
        }
        int most = columns - 2 - Arrays.stream(widths, leftColumns, last).max().orElse(0);
        while (width(widths, 0, leftColumns) > most && shorten(widths)) {
            // One character less.
        }
        int from = leftColumns;
        while (from < last) {
            int left = columns - width(widths, 0, leftColumns);
            int to = from;
            while (to < last && (to == from || width(widths, from, to + 1) + 2 <= left)) {
                to++;
            }
            out.append(from == leftColumns ? "" : "\n");
            appendPart(out, widths, from, to);
            from = to;
        }
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    /** Of these columns, with two blanks between them. */
    private static int width(int[] widths, int from, int to) {
        return Arrays.stream(widths, from, to).sum() + 2 * (to - from - 1);
    }

    /** Makes the widest column to the left narrower, unless it is as narrow as may be. */
    private boolean shorten(int[] widths) {
        int widest = 0;
        for (int i = 1; i < leftColumns; i++) {
            widest = widths[i] > widths[widest] ? i : widest;
        }
        return widths[widest]-- > NARROWEST;
    }

    /** The columns to the left, and those of a part; all of them if there is none. */
    private void appendPart(StringBuilder out, int[] widths, int from, int to) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                if (i < leftColumns || to == 0 || i >= from && i < to) {
                    line.append(i == 0 ? "" : "  ").append(cell(row, i, widths[i]));
                }
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private String cell(List<String> row, int column, int width) {
        String text = row.get(column);
        if (text.length() > width) {
            return text.substring(0, width - 1) + "…";
        }
        String padding = " ".repeat(width - text.length());
        return column < leftColumns ? text + padding : padding + text;
    }

    /** Of a table of sentences the last one stands in a line of its own. */
    private void appendWithLastBelow(StringBuilder out, int[] widths) {
        int last = widths.length - 1;
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < last; i++) {
                line.append(i == 0 ? "" : "  ").append(cell(row, i, widths[i]));
            }
            out.append(line.toString().stripTrailing()).append('\n');
            out.append(" ".repeat(widths[0] + 2)).append(row.get(last)).append('\n');
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
