package io.phaseload.stats;

import java.util.Arrays;

/**
 * Summarizes values in eight numbers, like pandas' {@code describe()}: quantiles between two values are interpolated
 * linearly (type 7 of Hyndman and Fan: Sample Quantiles in Statistical Packages, The American Statistician 50, 1996),
 * and the standard deviation is the sample's, with n − 1.
 *
 * @param count the number of values: one per trial, never one per request
 * @param mean the arithmetic mean
 * @param standardDeviation NaN for a single value
 * @param min the least
 * @param q1 the first quartile
 * @param median the second quartile
 * @param q3 the third quartile
 * @param max the greatest
 */
public record Description(
        int count, double mean, double standardDeviation, double min, double q1, double median, double q3, double max) {

    /**
     * Describes values.
     *
     * @param values in any order, at least one
     * @return their description, in their unit
     * @throws IllegalArgumentException if there are none
     */
    public static Description of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("values: expected at least one");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElseThrow();
        double squares = Arrays.stream(sorted).map(x -> Math.pow(x - mean, 2)).sum();
        return new Description(
                sorted.length,
                mean,
                sorted.length == 1 ? Double.NaN : Math.sqrt(squares / (sorted.length - 1)),
                sorted[0],
                quantile(sorted, 0.25),
                quantile(sorted, 0.5),
                quantile(sorted, 0.75),
                sorted[sorted.length - 1]);
    }

    private static double quantile(double[] sorted, double p) {
        double rank = p * (sorted.length - 1);
        int below = (int) rank;
        double value = sorted[below];
        return rank == below ? value : value + (rank - below) * (sorted[below + 1] - value);
    }

    /**
     * The interquartile range.
     *
     * @return the third quartile − the first
     */
    public double interquartileRange() {
        return q3 - q1;
    }
}
