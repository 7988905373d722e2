package io.phaseload.stats;

/**
 * Shares of requests, compared. All tests are of counts, so that a short phase or a rare failure proves as little as it
 * should.
 */
public final class Shares {

    private static final double HALF_95 = 1.959964;

    private Shares() {}

    /**
     * How unlikely it is that two counts have the same share: the likelihood ratio <i>G</i> = 2 Σ <i>O</i>
     * ln(<i>O</i>/<i>E</i>) of the table of two by two, which has the distribution of χ² with one degree of freedom.
     * 10.8 is exceeded by chance once in 1,000 times.
     *
     * @param few of {@code fewOf}
     * @param fewOf at least 1
     * @param many of {@code manyOf}
     * @param manyOf at least 1
     * @return 0 for equal shares
     */
    public static double difference(long few, long fewOf, long many, long manyOf) {
        double share = (double) (few + many) / (fewOf + manyOf);
        return 2
                * (term(few, fewOf * share)
                        + term(fewOf - few, fewOf * (1 - share))
                        + term(many, manyOf * share)
                        + term(manyOf - many, manyOf * (1 - share)));
    }

    private static double term(double observed, double expected) {
        return observed == 0 ? 0 : observed * Math.log(observed / expected);
    }

    /**
     * How much a share varies, over how much it would by chance: the index of dispersion <i>χ²/(n − 1)</i>, about 1 for
     * a constant probability, near 0 for every third request, and large for failures that come in bursts.
     *
     * @param such counts
     * @param of the counts that these are parts of, in the same order
     * @return NaN for fewer than two counts, or if all or none are such
     */
    public static double dispersion(long[] such, long[] of) {
        double sum = 0;
        double all = 0;
        for (int i = 0; i < such.length; i++) {
            sum += such[i];
            all += of[i];
        }
        double share = sum / all;
        double squares = 0;
        int used = 0;
        for (int i = 0; i < such.length; i++) {
            if (of[i] > 0) {
                double excess = such[i] - of[i] * share;
                squares += excess * excess / (of[i] * share * (1 - share));
                used++;
            }
        }
        return used < 2 ? Double.NaN : squares / (used - 1);
    }

    /**
     * Whether a share is within the 95 % interval of a count (the normal approximation of the binomial distribution).
     *
     * @param share from 0 to 1
     * @param such the count
     * @param of the number of trials
     * @return {@code true} if the count is as expected of such a share
     */
    public static boolean covers(double share, long such, long of) {
        return Math.abs(such - of * share) <= HALF_95 * Math.sqrt(of * share * (1 - share));
    }
}
