package io.phaseload.report.notation;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A table as text: columns are as wide as their widest cell, texts left-aligned, numbers right-aligned. */
public final class TextTable {

    /** Any width. */
    public static final int WIDE = Integer.MAX_VALUE;

    /** The minimum width of a shortened column. */
    private static final int NARROWEST = 8;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    /** The leading texts of rows, which every part of a folded table repeats. */
    private final int keys;

    private final StringBuilder out = new StringBuilder();

    private TextTable(Table table, boolean dashes) {
        columns = table.columns();
        rows.add(columns.stream().map(TextTable::heading).toList());
        rows.addAll(table.cells((column, cell) -> dashes && cell == Missing.TOO_FEW ? "–" : column.write(cell)));
        widths = IntStream.range(0, columns.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        keys = (int) columns.stream().takeWhile(Column::isText).count();
    }

    /** A column's name, such as {@code p99 ms}. */
    static String heading(Column column) {
        return (column.title() + " " + column.unit()).strip();
    }

    /**
     * Writes a table so that its lines fit. A table that is too wide is folded: its columns are written in parts, one
     * below the other, each with the leading texts of rows, the longest of which are shortened. In a table with only
     * texts, the last one gets its own line. First of all, percentiles of too few samples become dashes.
     *
     * @param table any
     * @param width the most characters per line; {@link #WIDE} for any number
     * @return lines that each end in a line feed
     */
    public static String write(Table table, int width) {
        TextTable text = new TextTable(table, !fits(table, width));
        if (text.isWithin(width)) {
            text.appendPart(0, 0);
        } else if (text.keys == text.widths.length) {
            text.appendWithLastBelow();
        } else {
            text.appendFolded(width);
        }
        return text.out.toString();
    }

    /** Whether a table needs no fold. */
    public static boolean fits(Table table, int width) {
        return new TextTable(table, false).isWithin(width);
    }

    private boolean isWithin(int width) {
        return width(0, widths.length) <= width;
    }

    private void appendFolded(int width) {
        int last = widths.length;
        int most = width - 2 - Arrays.stream(widths, keys, last).max().orElse(0);
        while (width(0, keys) > most && shorten()) {
            // One character less.
        }
        int from = keys;
        while (from < last) {
            int left = width - width(0, keys);
            int to = from;
            while (to < last && (to == from || width(from, to + 1) + 2 <= left)) {
                to++;
            }
            out.append(from == keys ? "" : "\n");
            appendPart(from, to);
            from = to;
        }
    }

    /** The width of columns with two spaces between them. */
    private int width(int from, int to) {
        return Arrays.stream(widths, from, to).sum() + 2 * (to - from - 1);
    }

    /** Shortens the widest key, unless it has the minimum width. */
    private boolean shorten() {
        int widest = 0;
        for (int i = 1; i < keys; i++) {
            widest = widths[i] > widths[widest] ? i : widest;
        }
        return widths[widest]-- > NARROWEST;
    }

    /** The keys, and the columns of a part; all columns if there is none. */
    private void appendPart(int from, int to) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                if (i < keys || to == 0 || i >= from && i < to) {
                    line.append(i == 0 ? "" : "  ").append(cell(row, i));
                }
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private String cell(List<String> row, int column) {
        String text = row.get(column);
        if (text.length() > widths[column]) {
            return text.substring(0, widths[column] - 1) + "…";
        }
        String padding = " ".repeat(widths[column] - text.length());
        return columns.get(column).isText() ? text + padding : padding + text;
    }

    private void appendWithLastBelow() {
        int last = widths.length - 1;
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < last; i++) {
                line.append(i == 0 ? "" : "  ").append(cell(row, i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
            out.append(" ".repeat(widths[0] + 2)).append(row.get(last)).append('\n');
        }
    }
}
