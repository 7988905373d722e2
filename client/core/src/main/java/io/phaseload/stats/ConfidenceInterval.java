package io.phaseload.stats;

import java.util.Arrays;

/**
 * Where a figure lies, with some confidence.
 *
 * @param low the least, in the figure's unit; may be negatively infinite
 * @param high the most; may be infinite
 * @param coverage in how many of 1 cases an interval that is made like this one has the true figure
 *     in it
 */
public record ConfidenceInterval(double low, double high, double coverage) {

    /** What intervals aim at. */
    public static final double COVERAGE = 0.95;

    /**
     * The median's interval between two order statistics, which holds for any distribution.
     *
     * <p>Of <i>n</i> independent values, the number below the true median is binomial with
     * probability ½, so that the <i>d</i>-th lowest and the <i>d</i>-th highest enclose it with
     * probability (David and Nagaraja: Order Statistics, 2003, 7.1)
     *
     * <pre>1 − 2·P(B ≤ d − 1),  B binomial (n, ½)</pre>
     *
     * <p><i>d</i> is the greatest one with 95 % or more. Fewer than six values have none: what
     * comes then is their range, with its true coverage, which is 93.75 % of five, 87.5 % of four,
     * 75 % of three, 50 % of two, and 0 of one.
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
     * Whether it is as certain as it should be.
     *
     * @return {@code true} from 95 % on
     */
    public boolean isCertain() {
        return coverage >= COVERAGE;
    }
}
