package io.phaseload.stats.series;

import java.util.Arrays;
import java.util.Optional;

/**
 * The beginning of the steady part of a series, after its warm-up.
 *
 * <p>By MSER-5 (White: An Effective Truncation Heuristic for Bias Reduction in Simulation Output, Simulation 69, 1997;
 * White, Cobb, Spratt: A Comparison of Five Steady-State Truncation Heuristics for Simulation, Winter Simulation
 * Conference 2000). Of the means <i>x₁ … xₙ</i> of five values each, the first <i>d</i> are cut off that leave the mean
 * of the others most certain:
 *
 * <pre>minimize  Σ (xᵢ − x̄)² / (n − d)²   over i = d + 1 … n</pre>
 *
 * <p>Few means agree by chance, so that the least of the first half counts. The steady part isn't reached if the second
 * half has one of less than half of that, or if the rest still has a trend: the interval of its {@link Slope} excludes
 * 0, and it changes by more than 5 % of its mean.
 *
 * @param reached true if there is a steady part
 * @param from the index of its first value; of a series that doesn't reach it, the least of the second half's
 * @param values the number of values in the series
 * @param trend the change of the values from {@code from} on, as a part of their mean; 0 if it isn't certain
 */
public record SteadyState(boolean reached, int from, int values, double trend) {

    /** With fewer values, neither half has enough batches. */
    public static final int LEAST = 40;

    private static final int BATCH = 5;

    /** Fewer batches at the end agree by chance. */
    private static final int LEAST_BATCHES = 5;

    /** The second half must be that much more certain than any rest that begins in the first half. */
    private static final double MORE_CERTAIN = 0.5;

    /** A smaller change biases a mean by less than 3 %, which is the noise of one machine. */
    private static final double MOST_TREND = 0.05;

    /**
     * Finds the steady part of a series.
     *
     * @param values at equal distances in time
     * @return empty for fewer than 40 values
     */
    public static Optional<SteadyState> of(double... values) {
        if (values.length < LEAST) {
            return Optional.empty();
        }
        double[] means = new double[values.length / BATCH];
        // What doesn't fill a batch is left out at the start, which the warm-up has most of.
        int offset = values.length % BATCH;
        Arrays.setAll(means, i -> mean(values, offset + i * BATCH, offset + (i + 1) * BATCH));
        int half = means.length / 2;
        double[] uncertainty = uncertainty(means);
        int early = least(uncertainty, 0, half);
        int late = least(uncertainty, half, means.length - LEAST_BATCHES + 1);
        boolean never = uncertainty[late] < MORE_CERTAIN * uncertainty[early];
        int cut = never ? late : early;
        double trend = trend(Arrays.copyOfRange(means, cut, means.length));
        return Optional.of(new SteadyState(
                !never && Math.abs(trend) <= MOST_TREND, cut == 0 ? 0 : offset + cut * BATCH, values.length, trend));
    }

    /** Of each rest; summed from the end, its mean and squares take one step. */
    private static double[] uncertainty(double[] means) {
        double[] uncertainty = new double[means.length];
        double mean = 0;
        double squares = 0;
        for (int d = means.length - 1; d >= 0; d--) {
            double n = means.length - d;
            double deviation = means[d] - mean;
            mean += deviation / n;
            squares += deviation * (means[d] - mean);
            uncertainty[d] = squares / (n * n);
        }
        return uncertainty;
    }

    private static int least(double[] of, int from, int to) {
        int least = from;
        for (int i = from; i < to; i++) {
            least = of[i] < of[least] ? i : least;
        }
        return least;
    }

    private static double trend(double[] means) {
        double[] at = new double[means.length];
        Arrays.setAll(at, i -> i);
        double mean = mean(means, 0, means.length);
        return Slope.of(at, means)
                .filter(slope -> slope.isCertain() && mean != 0)
                .map(slope -> slope.change() / Math.abs(mean))
                .orElse(0.0);
    }

    private static double mean(double[] of, int from, int to) {
        return Arrays.stream(of, from, to).average().orElseThrow();
    }
}
