package io.phaseload.diagnosis.statistics;

import java.util.Arrays;
import java.util.Optional;

/** Whether moments come at even distances. */
public final class Period {

    private static final int LEAST = 4;

    /** Of the distance, from even times (standard deviation); 29 % is what random times have. */
    private static final double MOST_OFF = 0.08;

    private Period() {}

    /**
     * The distance of moments, of which up to half may be missing.
     *
     * @param at the moments in seconds, sorted
     * @return in seconds; empty if there are fewer than 4, or if it varies
     */
    public static Optional<Double> seconds(double... at) {
        int n = at.length;
        if (n < LEAST) {
            return Optional.empty();
        }
        double[] distances = new double[n - 1];
        for (int i = 1; i < n; i++) {
            distances[i - 1] = at[i] - at[i - 1];
        }
        Arrays.sort(distances);
        double period = distances[(n - 1) / 2];
        double turns = 0;
        for (int i = 1; i < n; i++) {
            turns += Math.max(1, Math.rint((at[i] - at[i - 1]) / period));
        }
        period = (at[n - 1] - at[0]) / turns;
        double squares = 0;
        for (int i = 1; i < n; i++) {
            double distance = at[i] - at[i - 1];
            double off = distance / period - Math.max(1, Math.rint(distance / period));
            squares += off * off;
        }
        boolean even = Math.sqrt(squares / (n - 1)) <= MOST_OFF * Math.sqrt(2);
        return even && turns < 2 * n ? Optional.of(period) : Optional.empty();
    }
}
