package io.phaseload.diagnosis.statistics;

import java.util.stream.DoubleStream;

/**
 * The rising steps that fit a series best: isotonic regression by pooling neighbours (M. Ayer and others, Annals of
 * Mathematical Statistics 26, 1955).
 */
public final class RisingSteps {

    private RisingSteps() {}

    /**
     * Fits them by least squares.
     *
     * @param values in the order of time
     * @return the level of each, which is never below the one before
     */
    public static double[] fit(double... values) {
        double[] sums = new double[values.length];
        int[] sizes = new int[values.length];
        int last = -1;
        for (double value : values) {
            last++;
            sums[last] = value;
            sizes[last] = 1;
            while (last > 0 && sums[last - 1] / sizes[last - 1] >= sums[last] / sizes[last]) {
                sums[last - 1] += sums[last];
                sizes[last - 1] += sizes[last];
                last--;
            }
        }
        double[] fitted = new double[values.length];
        int at = 0;
        for (int i = 0; i <= last; i++) {
            for (int j = 0; j < sizes[i]; j++) {
                fitted[at++] = sums[i] / sizes[i];
            }
        }
        return fitted;
    }

    /**
     * How much of a series its steps explain: Bartholomew's Ē² (D. J. Bartholomew, Biometrika 46, 1959), about a tenth
     * by chance for 40 values.
     *
     * @return the share of the variance, from 0 to 1; 0 if nothing varies
     */
    public static double explained(double[] values, double[] fitted) {
        double mean = DoubleStream.of(values).average().orElse(0);
        double all = 0;
        double left = 0;
        for (int i = 0; i < values.length; i++) {
            all += (values[i] - mean) * (values[i] - mean);
            left += (values[i] - fitted[i]) * (values[i] - fitted[i]);
        }
        return all == 0 ? 0 : 1 - left / all;
    }
}
