package io.phaseload.stats.series;

import io.phaseload.stats.ConfidenceInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The lower envelope of a series: the least value of each of its cycles. Memory is used and freed again, in cycles that
 * say nothing about a leak; the level after each is what counts.
 *
 * <p>A cycle ends where the series has fallen and rises again, each by at least half the distance between the 5 % and
 * the 95 % quantile, after its slope was taken away (turning points as in rainflow counting, ASTM E1049). A series with
 * fewer than 16 such cycles is cut into 16 windows of equal length instead, and the least value of each is taken.
 *
 * @param at the time of each low, rising
 * @param values the lows
 * @param cycles the number of cycles, at the start and the end of which the series fell
 */
public record Lows(List<Double> at, List<Double> values, int cycles) {

    private static final double REVERSAL = 0.5;
    private static final double LOW = 0.05;
    private static final int WINDOWS = 16;

    /**
     * Finds the lows of a series.
     *
     * @param at the times of its values, rising
     * @param values one per time
     * @return its lows
     * @throws IllegalArgumentException if the numbers of times and values differ
     */
    public static Lows of(double[] at, double[] values) {
        double slope = Slope.of(at, values).map(Slope::perUnit).orElse(0.0);
        double[] rest = new double[values.length];
        Arrays.setAll(rest, i -> values[i] - slope * at[i]);
        List<Integer> turning = turning(rest);
        List<Integer> lows = turning.size() < WINDOWS ? windows(rest) : turning;
        return new Lows(
                lows.stream().map(i -> at[i]).toList(),
                lows.stream().map(i -> values[i]).toList(),
                turning.size());
    }

    /** The indices of lows between two highs. */
    private static List<Integer> turning(double[] rest) {
        double[] sorted = rest.clone();
        Arrays.sort(sorted);
        int low = (int) (LOW * sorted.length);
        double reversal = sorted.length == 0 ? 0 : REVERSAL * (sorted[sorted.length - 1 - low] - sorted[low]);
        List<Integer> lows = new ArrayList<>();
        boolean falling = false;
        int turn = 0;
        for (int i = 1; i < rest.length && reversal > 0; i++) {
            if (falling ? rest[i] <= rest[turn] : rest[i] >= rest[turn]) {
                turn = i;
            } else if (Math.abs(rest[i] - rest[turn]) >= reversal) {
                if (falling) {
                    lows.add(turn);
                }
                falling = !falling;
                turn = i;
            }
        }
        return lows;
    }

    private static List<Integer> windows(double[] rest) {
        List<Integer> lows = new ArrayList<>();
        int windows = Math.min(WINDOWS, rest.length);
        for (int window = 0; window < windows; window++) {
            int least = window * rest.length / windows;
            for (int i = least; i < (window + 1) * rest.length / windows; i++) {
                least = rest[i] < rest[least] ? i : least;
            }
            lows.add(least);
        }
        return lows;
    }

    /**
     * The change of the lows over time.
     *
     * @return with a 95 % interval; empty for fewer than 8 values
     */
    public Optional<Slope> slope() {
        return slope(ConfidenceInterval.COVERAGE);
    }

    /**
     * The change of the lows over time.
     *
     * @param coverage of the interval
     * @return empty for fewer than 8 values
     */
    public Optional<Slope> slope(double coverage) {
        return Slope.of(
                at.stream().mapToDouble(Double::doubleValue).toArray(),
                values.stream().mapToDouble(Double::doubleValue).toArray(),
                coverage);
    }
}
