package io.phaseload.audit;

/**
 * The outcome of one check.
 *
 * @param id such as {@code littles-law}; stable
 * @param outcome the outcome
 * @param text the figures that it is concluded from
 * @param advice the remedy; empty if none is needed
 */
public record Check(String id, Outcome outcome, String text, String advice) {

    /** The trust that remains, the most first. */
    public enum Outcome {
        /** Nothing speaks against the figures. */
        PASSED,
        /** The file lacks what the check needs. */
        UNKNOWN,
        /** The figures are right, but easily taken for something else. */
        DOUBT,
        /** The figures contradict one another. */
        WRONG
    }
}
