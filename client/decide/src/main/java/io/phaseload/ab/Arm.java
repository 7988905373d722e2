package io.phaseload.ab;

/** The subject of a run. */
public enum Arm {
    /** The first side. */
    A,
    /** The first side once more: the control, in which nothing can have changed. */
    AGAIN,
    /** The other side. */
    B;

    /**
     * Its name for people.
     *
     * @return such as {@code A again}
     */
    public String title() {
        return this == AGAIN ? "A again" : name();
    }
}
