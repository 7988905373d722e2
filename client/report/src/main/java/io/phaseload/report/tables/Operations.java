package io.phaseload.report.tables;

/** Operations in tables. */
public final class Operations {

    /** Stands for all operations, or all phases, together. */
    public static final String ALL = "(all)";

    /** The most operations that one chart has side by side. */
    public static final int MOST_DRAWN = 12;

    private Operations() {}
}
