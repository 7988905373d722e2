package io.phaseload.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * The mean of a series in time, and how far it may be off although neighbours resemble each other:
 * a slow second is often followed by another one, so that samples are worth less than their number.
 *
 * <p>The series is cut into <i>k</i> batches of weight <i>wᵢ</i> (seconds, or requests) and mean
 * <i>mᵢ</i>. With the mean of all, <i>m = Σ wᵢ·mᵢ / Σ wᵢ</i>, the variance of one unit of weight is
 *
 * <pre>D = Σ wᵢ·(mᵢ − m)² / (k − 1)        standard error of m = √(D / Σ wᵢ)</pre>
 *
 * <p>If neighbours are independent, D is the same however long the batches are. If not, it grows
 * with them until they are longer than what couples neighbours. So batches are joined in pairs
 * again and again while at least ten are left, and the greatest D counts. Fewer than ten would say
 * little of D itself, more than thirty little more (Schmeiser: Batch Size Effects in the Analysis
 * of Simulation Output, Operations Research 30, 1982); taking the greatest of a hierarchy is what
 * latte does with samples.
 *
 * @param mean of the whole series
 * @param standardError of the mean, in its unit
 * @param batches how many the standard error is from: 10 or more
 */
public record BatchMeans(double mean, double standardError, int batches) {

    /** With fewer intervals a series says nothing of its own error. */
    public static final int LEAST = 10;

    /**
     * Of a series of intervals.
     *
     * @param sums what was counted or added up in each, in the order of time
     * @param weights what the sums are of: seconds for a rate, requests for a part of them; 0 or
     *     more
     * @return empty if fewer than ten intervals weigh anything
     * @throws IllegalArgumentException if there aren't as many weights as sums
     */
    public static Optional<BatchMeans> of(double[] sums, double[] weights) {
        if (sums.length != weights.length) {
            throw new IllegalArgumentException(
                    "%d weights: expected %d".formatted(weights.length, sums.length));
        }
        int k = 0;
        double[] sum = new double[sums.length];
        double[] weight = new double[sums.length];
        for (int i = 0; i < sums.length; i++) {
            if (weights[i] > 0) {
                sum[k] = sums[i];
                weight[k++] = weights[i];
            }
        }
        if (k < LEAST) {
            return Optional.empty();
        }
        double all = Arrays.stream(weight, 0, k).sum();
        double mean = Arrays.stream(sum, 0, k).sum() / all;
        double greatest = -1;
        int batches = k;
        for (; k >= LEAST; k = joinPairs(sum, weight, k)) {
            double dispersion = dispersion(sum, weight, k, mean);
            if (dispersion > greatest) {
                greatest = dispersion;
                batches = k;
            }
        }
        return Optional.of(new BatchMeans(mean, Math.sqrt(greatest / all), batches));
    }

    private static double dispersion(double[] sum, double[] weight, int k, double mean) {
        double squares = 0;
        for (int i = 0; i < k; i++) {
            double deviation = sum[i] / weight[i] - mean;
            squares += weight[i] * deviation * deviation;
        }
        return squares / (k - 1);
    }

    /** An odd one out joins the last pair, so that nothing is lost. */
    private static int joinPairs(double[] sum, double[] weight, int k) {
        int pairs = k / 2;
        for (int i = 0; i < pairs; i++) {
            sum[i] = sum[2 * i] + sum[2 * i + 1];
            weight[i] = weight[2 * i] + weight[2 * i + 1];
        }
        if (k % 2 == 1) {
            sum[pairs - 1] += sum[k - 1];
            weight[pairs - 1] += weight[k - 1];
        }
        return pairs;
    }

    /**
     * How many independent samples would make a mean this certain: <i>σ² / standardError²</i>.
     *
     * @param variance σ², of a single sample; <i>p·(1 − p)</i> where samples count as 0 or 1
     * @param samples how many there are
     * @return at least 1, at most {@code samples}
     */
    public long effectiveSamples(double variance, long samples) {
        double squared = standardError * standardError;
        if (variance >= squared * samples) {
            return samples;
        }
        return Math.max(1, (long) (variance / squared));
    }
}
