package io.phaseload.report.cells;

/** The cell of a missing figure; {@code null} in JSON. */
public enum Missing {
    /** Nothing was measured. */
    NOT_MEASURED("n/a"),
    /** There are too few samples for a percentile. */
    TOO_FEW("n too small");

    private final String text;

    Missing(String text) {
        this.text = text;
    }

    /** The reason, in the words of all reports. */
    @Override
    public String toString() {
        return text;
    }
}
