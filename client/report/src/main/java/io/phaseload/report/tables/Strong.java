package io.phaseload.report.tables;

/**
 * A cell with emphasized text: bold where possible.
 *
 * @param text the text
 */
public record Strong(String text) {

    /** A cell, emphasized or not. */
    static Object when(boolean strong, String text) {
        return strong ? new Strong(text) : text;
    }

    @Override
    public String toString() {
        return text;
    }
}
