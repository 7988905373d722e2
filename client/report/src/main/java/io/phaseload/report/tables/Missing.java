package io.phaseload.report.tables;

/** A figure that can't be given, as a cell; {@code null} in JSON. */
public enum Missing {
    /** Nothing was measured. */
    NOT_MEASURED("n/a"),
    /** The samples are too few to support a percentile. */
    TOO_FEW("n too small");

    private final String text;

    Missing(String text) {
        this.text = text;
    }

    /** Why, as every report says it. */
    @Override
    public String toString() {
        return text;
    }
}
