package io.phaseload.ab;

/** The decision of a comparison. */
public enum Outcome {
    /** A figure is worse by more than the margin. */
    REGRESSION,
    /** No figure is worse by more than the margin. */
    NO_REGRESSION,
    /** A differs from itself, so that nothing can be said of B. */
    CONTROL_MOVED,
    /** The margin is smaller than the changes that can be detected on this machine. */
    TOO_NOISY,
    /** The change is too near to the margin. */
    UNDECIDED,
    /** Most measurements are invalid. */
    INVALID;

    /**
     * Whether it says something about B.
     *
     * @return {@code true} for a regression, and for none
     */
    public boolean isConclusion() {
        return this == REGRESSION || this == NO_REGRESSION;
    }
}
