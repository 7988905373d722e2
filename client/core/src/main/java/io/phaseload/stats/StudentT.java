package io.phaseload.stats;

/**
 * Student's t distribution, for two-sided intervals.
 *
 * <p>With <i>ν</i> degrees of freedom, the probability beyond ±<i>t</i> is the regularised incomplete beta function
 * <i>I</i><sub>x</sub>(ν/2, 1/2) at <i>x = ν/(ν + t²)</i> (Abramowitz and Stegun, 26.7.1), by the continued fraction of
 * DLMF 8.17.22.
 */
public final class StudentT {

    /** From here on, it is the normal distribution to six decimals. */
    private static final double MOST_FREEDOM = 1e7;

    /** Coefficients of the Lanczos approximation of the gamma function, with g = 7. */
    private static final double[] LANCZOS = {
        0.99999999999980993,
        676.5203681218851,
        -1259.1392167224028,
        771.32342877765313,
        -176.61502916214059,
        12.507343278686905,
        -0.13857109526572012,
        9.9843695780195716e-6,
        1.5056327351493116e-7
    };

    private StudentT() {}

    /**
     * The number of standard errors that a two-sided 95 % interval extends to each side.
     *
     * @param degreesOfFreedom 1 or more, not necessarily whole; infinite for the normal distribution
     */
    static double factor(double degreesOfFreedom) {
        return factor(degreesOfFreedom, ConfidenceInterval.COVERAGE);
    }

    /**
     * The number of standard errors that a two-sided interval extends to each side.
     *
     * @param degreesOfFreedom 1 or more, not necessarily whole; infinite for the normal distribution
     * @param coverage of the interval, from 0.8 to below 1
     * @return for 95 % from 1.96 to 12.7
     */
    public static double factor(double degreesOfFreedom, double coverage) {
        double freedom = Math.min(degreesOfFreedom, MOST_FREEDOM);
        double low = 1;
        double high = 1e6;
        while (high - low > 1e-9 * high) {
            double middle = Math.sqrt(low * high);
            if (tails(middle, freedom) > 1 - coverage) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double tails(double t, double v) {
        double x = v / (v + t * t);
        double a = v / 2;
        double b = 0.5;
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
        // It converges fast if x < (a + 1) / (a + b + 2), which holds for t of 1.9 or
        // more; below, it takes longer.
        return front * fraction(x, a, b) / a;
    }

    /** By Lentz's method. */
    private static double fraction(double x, double a, double b) {
        double c = 1;
        double d = 1 / (1 - (a + b) * x / (a + 1));
        double result = d;
        double factor = 0;
        for (int m = 1; m < 10_000 && Math.abs(factor - 1) > 1e-14; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / (1 + even * d);
            c = 1 + even / c;
            result *= c * d;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / (1 + odd * d);
            c = 1 + odd / c;
            factor = c * d;
            result *= factor;
        }
        return result;
    }

    private static double logGamma(double z) {
        double x = z - 1;
        double sum = LANCZOS[0];
        for (int i = 1; i < LANCZOS.length; i++) {
            sum += LANCZOS[i] / (x + i);
        }
        double t = x + 7.5;
        return Math.log(2 * Math.PI) / 2 + (x + 0.5) * Math.log(t) - t + Math.log(sum);
    }
}
