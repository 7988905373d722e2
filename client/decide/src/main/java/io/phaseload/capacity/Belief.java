package io.phaseload.capacity;

import java.util.Arrays;

/**
 * The probability of each possible capacity, which each step multiplies: probabilistic bisection (Waeber, Frazier and
 * Henderson: Bisection Search with Noisy Responses, SIAM Journal on Control and Optimization 51, 2013), whose next step
 * is at the median. Steps near the capacity err more often than those far from it, by how much isn't known before: as
 * in the Ψ method of psychophysics (Kontsevich and Tyler: Bayesian Adaptive Estimation of Psychometric Slope and
 * Threshold, Vision Research 39, 1999), the noise is estimated along with the capacity. With capacity <i>c</i> and
 * noise <i>σ</i>, a step at load <i>r</i> shows that it holds with probability <i>F(r) = 1/(1 +
 * exp(−1.7·ln(c/r)/σ))</i>; one that holds with probability <i>p</i> multiplies by <i>p·F + (1 − p)·(1 − F)</i>.
 *
 * <p>Not thread-safe.
 */
final class Belief {

    /** Loads differ by one percent. */
    private static final double STEP = Math.log(1.01);

    /** Each halving or doubling beyond the first bracket is half as likely. */
    private static final double OUTSIDE = 1;

    private static final double OCTAVES = 3;

    /** From steps that repeat each other to steps that differ by a sixth, each half as likely as the one before. */
    private static final double[] NOISE = {0.02, 0.06, 0.18};

    private static final double LOGISTIC = 1.702;

    /** Of a load far above: a product with it stays finite. */
    private static final double GREATEST = 1e300;

    private final double low;
    private final double[][] shares;
    private final double[][] powers;

    /**
     * Begins with a bracket, within which each part of the logarithm is as likely.
     *
     * @param held a load that held
     * @param broke a greater one that didn't
     */
    Belief(double held, double broke) {
        double reach = OCTAVES * Math.log(2);
        low = Math.log(held) - reach;
        int cells = (int) Math.ceil((Math.log(broke) + reach - low) / STEP);
        shares = new double[NOISE.length][cells];
        powers = new double[NOISE.length][cells];
        for (int n = 0; n < NOISE.length; n++) {
            for (int i = 0; i < cells; i++) {
                double at = low + (i + 0.5) * STEP;
                double outside = Math.max(0, Math.max(Math.log(held) - at, at - Math.log(broke)));
                shares[n][i] = Math.exp(-OUTSIDE * outside) / (1 << n);
                powers[n][i] = Math.exp(-(at - low) * LOGISTIC / NOISE[n]);
            }
        }
    }

    /** Adds a step whose load holds with a probability between 0 and 1. */
    void add(double load, double holds) {
        double most = 0;
        for (int n = 0; n < NOISE.length; n++) {
            double power = Math.min(GREATEST, Math.exp((Math.log(load) - low) * LOGISTIC / NOISE[n]));
            for (int i = 0; i < shares[n].length; i++) {
                double shows = 1 / (1 + power * powers[n][i]);
                shares[n][i] *= holds * shows + (1 - holds) * (1 - shows);
                most = Math.max(most, shares[n][i]);
            }
        }
        for (double[] cells : shares) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] /= most;
            }
        }
    }

    /** The capacity that is exceeded with probability 1 − q. */
    double quantile(double q) {
        double[] sums = new double[shares[0].length];
        for (double[] cells : shares) {
            Arrays.setAll(sums, i -> sums[i] + cells[i]);
        }
        double left = q * Arrays.stream(sums).sum();
        int i = 0;
        while (i < sums.length - 1 && left > sums[i]) {
            left -= sums[i++];
        }
        return Math.exp(low + (i + Math.min(1, left / sums[i])) * STEP);
    }
}
