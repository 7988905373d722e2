package io.phaseload.report.text;

import java.util.Locale;

/** Text that grows by lines, each ending in a line feed; numbers are alike in every locale. */
final class Lines {

    private final StringBuilder out = new StringBuilder();
    private final int columns;

    /** Lines whose tables are as wide as they are. */
    Lines() {
        this(TextTable.WIDE);
    }

    /** Lines whose tables fit into so many columns. */
    Lines(int columns) {
        this.columns = columns;
    }

    /** Adds a line as it is. */
    void add(String line) {
        out.append(line).append('\n');
    }

    /** Adds a line of a pattern of {@link java.util.Formatter}. */
    void format(String pattern, Object... values) {
        add(String.format(Locale.ROOT, pattern, values));
    }

    /** Adds a table. */
    void add(TextTable table) {
        table.appendTo(out, columns);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
