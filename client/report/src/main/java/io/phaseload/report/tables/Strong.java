package io.phaseload.report.tables;

/**
 * A text that is to be seen first, as a cell: bold where that can be.
 *
 * @param text the text
 */
public record Strong(String text) {

    /** A cell that is strong or isn't. */
    static Object when(boolean strong, String text) {
        return strong ? new Strong(text) : text;
    }

    @Override
    public String toString() {
        return text;
    }
}
