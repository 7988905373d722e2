package io.phaseload.report.cells;

import java.util.Locale;

/**
 * A column of a table: its name and how its values are written, the same in text, in Markdown and on pages.
 *
 * @param name its key in JSON, such as {@code p99_ms}
 * @param title for people, such as {@code p99}
 * @param unit the unit of its numbers, such as {@code ms}; empty for texts and counts
 * @param decimals the number of decimal places; negative for texts
 */
public record Column(String name, String title, String unit, int decimals) {

    public static final int TEXT = -1;
    private static final int USUAL_DECIMALS = 3;

    /**
     * A column of texts.
     *
     * @param name with underscores for the title's spaces
     * @return a column without unit
     */
    public static Column text(String name) {
        return new Column(name, name.replace('_', ' '), "", TEXT);
    }

    public static Column count(String name) {
        return new Column(name, name.replace('_', ' '), "", 0);
    }

    /**
     * A column of numbers with three decimal places: milliseconds to the microsecond.
     *
     * @param name its key
     * @param title for people
     * @param unit of the numbers, or empty
     * @return a column
     */
    public static Column of(String name, String title, String unit) {
        return new Column(name, title, unit, USUAL_DECIMALS);
    }

    /**
     * The heading of the column.
     *
     * @return such as {@code p99 (ms)}
     */
    public String heading() {
        return unit.isEmpty() ? title : title + " (" + unit + ")";
    }

    /**
     * Whether it holds texts, which begin at the left; numbers end at the right.
     *
     * @return {@code false} for numbers
     */
    public boolean isText() {
        return decimals < 0;
    }

    /**
     * A cell as text, the same in every locale.
     *
     * @param cell one of this column
     * @return such as {@code 1234.500}; empty for {@code null}
     */
    public String write(Object cell) {
        return write("%", cell);
    }

    /**
     * A cell as text, with thousands separators.
     *
     * @param cell one of this column
     * @return such as {@code 1,234.500}; empty for {@code null}
     */
    public String writeGrouped(Object cell) {
        return write("%,", cell);
    }

    private String write(String flags, Object cell) {
        if (cell == null) {
            return "";
        }
        return cell instanceof Number number
                ? String.format(Locale.ROOT, flags + "." + decimals + "f", number.doubleValue())
                : cell.toString();
    }
}
