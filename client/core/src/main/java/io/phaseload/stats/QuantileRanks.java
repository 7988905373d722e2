package io.phaseload.stats;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * The order statistics that bound a quantile with 95 % confidence, as fractions of the sample: the quantile lies
 * between the sample's own quantiles at {@code low} and at {@code high}.
 *
 * <p>Of <i>n</i> n the number of independent samples, the number below the <i>p</i>-quantile is binomial with mean
 * <i>n·p</i> and variance <i>n·p·(1 − p)</i>; approximated by a normal distribution, it lies between these ranks in 95
 * of 100 cases (Kogias, Mallon, Bugnion: Lancet, USENIX ATC 2019):
 *
 * <pre>j = ⌊n·p − 1.96·√(n·p·(1 − p))⌋    k = ⌈n·p + 1.96·√(n·p·(1 − p))⌉ + 1</pre>
 *
 * <p>It is valid for any distribution. If samples aren't independent, <i>n</i> is the number of independent ones that
 * they are worth.
 *
 * @param low j/n, more than 0
 * @param high k/n, at most 1
 */
public record QuantileRanks(double low, double high) {

    /** The 97.5 % quantile of the standard normal distribution. */
    static final double Z_95 = 1.96;

    /**
     * The ranks for a quantile.
     *
     * @param p from 0 to 1, such as 0.99
     * @param n the number of independent samples
     * @return empty if one of the ranks isn't among the samples, which are then too few for the quantile
     */
    public static Optional<QuantileRanks> of(double p, long n) {
        double spread = spread(p, n);
        double j = Math.floor(n * p - spread);
        double k = Math.ceil(n * p + spread) + 1;
        return j >= 1 && k <= n ? Optional.of(new QuantileRanks(j / n, k / n)) : Optional.empty();
    }

    /**
     * The interval of a quantile, open where samples are too few to bound it. Where the approximation has no upper
     * rank, the longest is one if 1 − pⁿ, the chance that it is above the quantile, is large enough.
     *
     * @param p from 0 to 1, such as 0.99
     * @param n the number of independent samples
     * @param z the number of standard errors to each side, in place of 1.96
     * @param coverage of the interval with this {@code z}
     * @param valueAt the sample's quantiles
     * @return from 0 at the lowest to infinity
     */
    public static ConfidenceInterval interval(
            double p, long n, double z, double coverage, DoubleUnaryOperator valueAt) {
        double spread = z * Math.sqrt(n * p * (1 - p));
        double j = Math.floor(n * p - spread);
        double k = Math.ceil(n * p + spread) + 1;
        boolean bounded = k <= n || 1 - Math.pow(p, n) >= (1 + coverage) / 2;
        return new ConfidenceInterval(
                j >= 1 ? valueAt.applyAsDouble(j / n) : 0,
                bounded ? valueAt.applyAsDouble(Math.min(1, k / n)) : Double.POSITIVE_INFINITY,
                coverage);
    }

    /**
     * The least number of n the number of independent samples that bounds a quantile from above: k ≤ n.
     *
     * @param p from 0.5 to below 1
     * @return 563 for a p99, 5,662 for a p99.9, 56,647 for a p99.99
     */
    public static long leastSamples(double p) {
        long n = 1;
        while (Math.ceil(n * p + spread(p, n)) + 1 > n) {
            n++;
        }
        return n;
    }

    private static double spread(double p, long n) {
        return Z_95 * Math.sqrt(n * p * (1 - p));
    }
}
