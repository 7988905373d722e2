package io.phaseload.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The mean of a time series and its standard error under autocorrelation: a slow second is often followed by another
 * one, so that samples carry less information than their number suggests.
 *
 * <p>The series is cut into <i>k</i> batches of weight <i>wᵢ</i> (seconds, or requests) and mean <i>mᵢ</i>. With the
 * mean of all, <i>m = Σ wᵢ·mᵢ / Σ wᵢ</i>, the variance of one unit of weight is
 *
 * <pre>D = Σ wᵢ·(mᵢ − m)² / (k − 1)        standard error of m = √(D / Σ wᵢ)</pre>
 *
 * <p>If neighbours are independent, D doesn't depend on the length of the batches. If they aren't, D grows with the
 * batches until they are longer than the correlation. So batches are joined in pairs as long as at least ten are left,
 * and the greatest D counts. Fewer than ten would make D itself uncertain, more than thirty add little (Schmeiser:
 * Batch Size Effects in the Analysis of Simulation Output, Operations Research 30, 1982); taking the greatest of a
 * hierarchy is what latte does with samples.
 *
 * @param mean of the whole series
 * @param standardError of the mean, in its unit
 * @param batches the number of batches behind the standard error: 10 or more
 */
public record BatchMeans(double mean, double standardError, int batches) {

    /** With fewer intervals, a series says nothing about its own error. */
    public static final int LEAST = 10;

    /**
     * Computes it for a series of intervals.
     *
     * @param sums the count or sum of each interval, in order of time
     * @param weights the divisors of the sums: seconds for a rate, requests for a share; 0 or more
     * @return empty if fewer than ten intervals have a weight above 0
     * @throws IllegalArgumentException if the numbers of weights and sums differ
     */
    public static Optional<BatchMeans> of(double[] sums, double[] weights) {
        if (sums.length != weights.length) {
            throw new IllegalArgumentException("%d weights: expected %d".formatted(weights.length, sums.length));
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

    /**
     * The mean of several series that follow each other, such as phases with different loads: differences between them
     * are no error.
     *
     * @param sums of each series, as for {@link #of}
     * @param weights of each series
     * @return empty if one of them has fewer than ten intervals
     */
    public static Optional<BatchMeans> ofAll(List<double[]> sums, List<double[]> weights) {
        double mean = 0;
        double variance = 0;
        double all = weights.stream().flatMapToDouble(Arrays::stream).sum();
        int freedom = 0;
        for (int i = 0; i < sums.size(); i++) {
            Optional<BatchMeans> of = of(sums.get(i), weights.get(i));
            if (of.isEmpty()) {
                return of;
            }
            double part = Arrays.stream(weights.get(i)).sum() / all;
            mean += part * of.get().mean;
            variance += part * part * of.get().standardError * of.get().standardError;
            freedom += of.get().batches - 1;
        }
        return sums.isEmpty() ? Optional.empty() : Optional.of(new BatchMeans(mean, Math.sqrt(variance), freedom + 1));
    }

    private static double dispersion(double[] sum, double[] weight, int k, double mean) {
        double squares = 0;
        for (int i = 0; i < k; i++) {
            double deviation = sum[i] / weight[i] - mean;
            squares += weight[i] * deviation * deviation;
        }
        return squares / (k - 1);
    }

    /** An odd batch joins the last pair, so that nothing is lost. */
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
     * @param variance σ², of a single sample; <i>p·(1 − p)</i> if samples count as 0 or 1
     * @param samples their number
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
