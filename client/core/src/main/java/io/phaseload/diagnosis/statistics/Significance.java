package io.phaseload.diagnosis.statistics;

import io.phaseload.stats.Shares;

/** How many requests it takes before a difference of shares is one. */
public final class Significance {

    /** With fewer expected, none may be by chance. */
    private static final double LEAST_EXPECTED = 5;

    /** Of &chi;&sup2; with one degree of freedom: exceeded by chance once in 1,000 times. */
    private static final double CHANCE = 10.83;

    private Significance() {}

    /**
     * Whether a share is larger than another one, and not by chance.
     *
     * @param few of {@code fewOf}, which must be so many that 5 or more would be expected of the other share
     * @param fewOf requests
     * @param many of {@code manyOf}
     * @param manyOf requests
     * @return {@code true} if {@code many} is a significantly larger share
     */
    public static boolean isMore(long few, long fewOf, long many, long manyOf) {
        if (fewOf == 0 || manyOf == 0) {
            return false;
        }
        double share = (double) many / manyOf;
        return fewOf * share >= LEAST_EXPECTED
                && (double) few / fewOf < share
                && Shares.difference(few, fewOf, many, manyOf) > CHANCE;
    }
}
