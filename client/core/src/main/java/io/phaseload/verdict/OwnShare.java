package io.phaseload.verdict;

/**
 * The part of a time that may be the client's own, as a finding about it has it.
 *
 * @param percent of the time; 100 if the finding doesn't say it
 * @param millis in milliseconds; infinite if the finding doesn't say it
 */
public record OwnShare(double percent, double millis) {

    /** The name of the evidence that is {@link #percent()}. */
    public static final String PERCENT = "clientSharePercent";

    /** The name of the evidence that is {@link #millis()}. */
    public static final String MILLIS = "clientShareMs";

    private static final double HALF = 50;
    private static final double SHORT = 1;

    static OwnShare of(Finding finding) {
        return new OwnShare(
                finding.evidence().getOrDefault(PERCENT, 100).doubleValue(),
                finding.evidence()
                        .getOrDefault(MILLIS, Double.POSITIVE_INFINITY)
                        .doubleValue());
    }

    /**
     * Of times of which the client caused less than half, the rest is the target's. Less than a millisecond makes no
     * time long.
     */
    boolean leavesMost() {
        return percent < HALF || millis < SHORT;
    }
}
