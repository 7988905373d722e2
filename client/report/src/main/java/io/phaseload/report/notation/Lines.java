package io.phaseload.report.notation;

import io.phaseload.report.cells.Table;
import java.util.List;
import java.util.Locale;

/** Text of lines, each ending in a line feed; numbers are the same in every locale. */
public final class Lines {

    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();
    private final int columns;

    /** Creates lines with tables of any width. */
    public Lines() {
        this(TextTable.WIDE);
    }

    /** Creates lines with tables that fit into a width. */
    public Lines(int columns) {
        this.columns = columns;
    }

    /** Adds a line; one that is too wide goes on, between words, in the next one, further to the right. */
    public void add(String line) {
        String rest = line;
        String indent = " ".repeat(line.length() - line.stripLeading().length()) + INDENT;
        for (int end; columns != TextTable.WIDE && rest.length() > columns; rest = indent + rest.substring(end + 1)) {
            end = rest.lastIndexOf(' ', columns);
            if (end < indent.length()) {
                break;
            }
            out.append(rest, 0, end).append('\n');
        }
        out.append(rest).append('\n');
    }

    /** Adds lines. */
    public void add(List<String> lines) {
        lines.forEach(this::add);
    }

    /** Adds a formatted line. */
    public void format(String pattern, Object... values) {
        add(String.format(Locale.ROOT, pattern, values));
    }

    /** Adds a table. */
    public void add(Table table) {
        out.append(TextTable.write(table, columns));
    }

    /** Adds a table that belongs to the line above it. */
    public void addIndented(Table table) {
        int width = columns == TextTable.WIDE ? columns : columns - INDENT.length();
        TextTable.write(table, width).lines().forEach(line -> out.append(line.isEmpty() ? line : INDENT + line)
                .append('\n'));
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
