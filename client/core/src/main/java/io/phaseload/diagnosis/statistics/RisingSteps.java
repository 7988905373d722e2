package io.phaseload.diagnosis.statistics;

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
}
