package io.phaseload.diagnosis.statistics;

import java.util.stream.LongStream;

/** Whether figures of one group are below those of another. */
public final class Ranks {

    private Ranks() {}

    /**
     * The share of pairs of which the first figure is below the second (H. B. Mann, D. R. Whitney, Annals of
     * Mathematical Statistics 18, 1947).
     *
     * @param low figures of one group
     * @param high figures of the other one
     * @return from 0 to 1; 0 without a pair
     */
    public static double below(long[] low, long[] high) {
        double pairs = (double) low.length * high.length;
        double below = 0;
        // In order, so that a pass over both counts the pairs.
        long[] lower = LongStream.of(low).sorted().toArray();
        long[] higher = LongStream.of(high).sorted().toArray();
        int count = 0;
        for (long one : higher) {
            while (count < lower.length && lower[count] < one) {
                count++;
            }
            below += count;
        }
        return pairs == 0 ? 0 : below / pairs;
    }
}
