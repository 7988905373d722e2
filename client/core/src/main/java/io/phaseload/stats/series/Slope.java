package io.phaseload.stats.series;

import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.StudentT;
import java.util.Arrays;
import java.util.Optional;

/**
 * The change of a series over time: the median of the slopes between all pairs of points, which outliers hardly change
 * (Theil: A rank-invariant method of linear and polynomial regression analysis, 1950; Sen: Estimates of the Regression
 * Coefficient Based on Kendall's Tau, Journal of the American Statistical Association 63, 1968).
 *
 * <p>Of <i>N = n·(n − 1)/2</i> slopes in order, the interval reaches from the <i>(N − C)/2</i>-th to the <i>(N +
 * C)/2</i>-th:
 *
 * <pre>C = t·√(f·n·(n − 1)·(2n + 5)/18)    f = 1 + 2·Σ (1 − k/n)·ρᵏ    t with n/f − 2 degrees of freedom</pre>
 *
 * <p><i>f</i> is the number of points that are worth a single independent one (Yue and Wang: The Mann-Kendall Test
 * Modified by Effective Sample Size, Water Resources Management 18, 2004). <i>ρ</i> is the correlation of neighbours
 * after the slope was taken away, corrected for that: <i>ρ = (n·r + 2)/(n − 4)</i>.
 *
 * @param perUnit the change in one unit of time
 * @param low the lower end of its interval; the least slope between two points if they are too alike their neighbours
 * @param high the upper end; then the greatest slope
 * @param first the line's level at the first point
 * @param last the line's level at the last point
 * @param points the number of points, or of blocks of neighbours
 * @param effective the number of independent points that they are worth: 1 to {@code points}
 */
public record Slope(double perUnit, double low, double high, double first, double last, int points, double effective) {

    /** With fewer points, a slope has no interval worth the name. */
    public static final int LEAST = 8;

    /** More points are joined: they add little, and take time with their square. */
    private static final int MOST = 240;

    private static final double MOST_CORRELATION = 0.99;

    /**
     * Estimates a slope with its 95 % interval.
     *
     * @param at the times of the points, rising
     * @param values one per time
     * @return empty for fewer than 8 points
     * @throws IllegalArgumentException if the numbers of times and values differ
     */
    public static Optional<Slope> of(double[] at, double[] values) {
        return of(at, values, ConfidenceInterval.COVERAGE);
    }

    /**
     * Estimates a slope.
     *
     * @param at the times of the points, rising
     * @param values one per time
     * @param coverage of the interval, such as 0.95
     * @return empty for fewer than 8 points
     * @throws IllegalArgumentException if the numbers of times and values differ
     */
    public static Optional<Slope> of(double[] at, double[] values, double coverage) {
        if (at.length != values.length) {
            throw new IllegalArgumentException("%d values: expected %d".formatted(values.length, at.length));
        }
        int width = (at.length + MOST - 1) / MOST;
        double[] x = blocks(at, width);
        double[] y = blocks(values, width);
        int n = x.length;
        if (n < LEAST) {
            return Optional.empty();
        }
        double[] slopes = slopes(x, y);
        double slope = median(slopes);
        double[] rest = new double[n];
        Arrays.setAll(rest, i -> y[i] - slope * x[i]);
        double level = median(Arrays.stream(rest).sorted().toArray());
        double factor = factor(rest, level);
        double freedom = n / factor - 2;
        double reach = freedom < 1
                ? Double.POSITIVE_INFINITY
                : StudentT.factor(freedom, coverage) * Math.sqrt(factor * n * (n - 1.0) * (2 * n + 5) / 18);
        return Optional.of(new Slope(
                slope,
                at(slopes, Math.floor((slopes.length - reach) / 2)),
                at(slopes, Math.ceil((slopes.length + reach) / 2) - 1),
                level + slope * x[0],
                level + slope * x[n - 1],
                n,
                n / factor));
    }

    /** The last block may be shorter. */
    private static double[] blocks(double[] of, int width) {
        double[] means = new double[width == 0 ? 0 : (of.length + width - 1) / width];
        Arrays.setAll(means, i -> Arrays.stream(of, i * width, Math.min(of.length, (i + 1) * width))
                .average()
                .orElseThrow());
        return means;
    }

    private static double[] slopes(double[] x, double[] y) {
        double[] slopes = new double[x.length * (x.length - 1) / 2];
        int k = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = i + 1; j < x.length; j++) {
                slopes[k++] = (y[j] - y[i]) / (x[j] - x[i]);
            }
        }
        Arrays.sort(slopes);
        return slopes;
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double at(double[] sorted, double index) {
        return sorted[(int) Math.max(0, Math.min(index, sorted.length - 1))];
    }

    private static double factor(double[] rest, double level) {
        int n = rest.length;
        double squares = 0;
        double products = 0;
        for (int i = 0; i < n; i++) {
            squares += (rest[i] - level) * (rest[i] - level);
            products += i == 0 ? 0 : (rest[i] - level) * (rest[i - 1] - level);
        }
        double measured = squares == 0 ? 0 : products / squares;
        double correlation = Math.min((n * measured + 2) / (n - 4), MOST_CORRELATION);
        double factor = 1;
        double power = 1;
        for (int k = 1; k < n && correlation > 0 && squares > 0; k++) {
            power *= correlation;
            factor += 2 * (1 - (double) k / n) * power;
        }
        return factor;
    }

    /**
     * Whether the series changes at all.
     *
     * @return true if 0 is outside of the interval
     */
    public boolean isCertain() {
        return low > 0 || high < 0;
    }

    /**
     * The change from the first to the last point.
     *
     * @return in the unit of the values
     */
    public double change() {
        return last - first;
    }
}
