package io.phaseload.stats;

import java.util.Arrays;

/**
 * A confidence interval of a figure.
 *
 * @param low the lower bound, in the figure's unit; may be negative infinity
 * @param high the upper bound; may be infinite
 * @param coverage the probability, 0 to 1, that an interval computed like this one contains the true figure
 */
public record ConfidenceInterval(double low, double high, double coverage) {

    /** The coverage to aim at. */
    public static final double COVERAGE = 0.95;

    /**
     * The interval of the median between two order statistics, which is valid for any distribution.
     *
     * <p>Of <i>n</i> independent values, the number below the true median is binomial with probability ½, so that the
     * <i>d</i>-th lowest and the <i>d</i>-th highest enclose it with probability (David and Nagaraja: Order Statistics,
     * 2003, 7.1)
     *
     * <pre>1 − 2·P(B ≤ d − 1),  B binomial (n, ½)</pre>
     *
     * <p><i>d</i> is the greatest that gives 95 % or more. With fewer than six values there is none; the interval is
     * then their range with its true coverage: 93.75 % for five, 87.5 % for four, 75 % for three, 50 % for two, and 0
     * for one.
     *
     * @param values one per trial, such as its median; in any order, at least one
     * @return the interval with its exact coverage
     * @throws IllegalArgumentException if there are no values
     */
    public static ConfidenceInterval ofMedian(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("values: expected at least one");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double probability = Math.pow(0.5, n);
        double tail = probability;
        int d = 1;
        for (int i = 1; i <= (n - 1) / 2; i++) {
            probability *= (n - i + 1.0) / i;
            if (1 - 2 * (tail + probability) < COVERAGE) {
                break;
            }
            tail += probability;
            d = i + 1;
        }
        return new ConfidenceInterval(sorted[d - 1], sorted[n - d], 1 - 2 * tail);
    }

    /**
     * Whether it has the intended coverage.
     *
     * @return {@code true} from 95 % on
     */
    public boolean isCertain() {
        return coverage >= COVERAGE;
    }
}
