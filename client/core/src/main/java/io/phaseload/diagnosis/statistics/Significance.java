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
        return manyOf > 0
                && fewOf * ((double) many / manyOf) >= LEAST_EXPECTED
                && isMoreOfSeveral(1, few, fewOf, many, manyOf);
    }

    /**
     * Whether a share is larger than another one, and not by the chance that one of several such comparisons has (C. E.
     * Bonferroni, 1936): <i>p</i> of &chi;&sup2; falls to about its half with each 2 ln 2 more.
     *
     * @param tests the number of comparisons
     * @param few of {@code fewOf}
     * @param fewOf requests
     * @param many of {@code manyOf}
     * @param manyOf requests
     * @return {@code true} if {@code many} is a significantly larger share
     */
    public static boolean isMoreOfSeveral(int tests, long few, long fewOf, long many, long manyOf) {
        return fewOf > 0
                && manyOf > 0
                && (double) few / fewOf < (double) many / manyOf
                && Shares.difference(few, fewOf, many, manyOf) > CHANCE + 2 * Math.log(tests);
    }
}
