package io.phaseload.report.cells;

/**
 * A text that is a link on pages.
 *
 * @param url begins with {@code http://}, {@code https://} or {@code ./}
 */
public record LinkedText(String text, String url) {

    @Override
    public String toString() {
        return text;
    }
}
