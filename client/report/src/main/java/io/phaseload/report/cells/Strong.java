package io.phaseload.report.cells;

/**
 * A cell with emphasized text: bold where possible.
 *
 * @param text the text
 */
public record Strong(String text) {

    /** A cell, emphasized or not. */
    public static Object when(boolean strong, String text) {
        return strong ? new Strong(text) : text;
    }

    @Override
    public String toString() {
        return text;
    }
}
