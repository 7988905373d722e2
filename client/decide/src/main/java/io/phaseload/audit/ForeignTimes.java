package io.phaseload.audit;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Response times, in ms.
 *
 * @param mean NaN if unknown, as are the others
 * @param min the shortest
 * @param max the longest
 * @param percentiles values by percentage, such as 99.9; without 100
 */
record ForeignTimes(double mean, double min, double max, NavigableMap<Double, Double> percentiles) {

    private static final double WHOLE = 100;

    ForeignTimes {
        NavigableMap<Double, Double> known = new TreeMap<>(percentiles);
        known.keySet().removeIf(percent -> percent >= WHOLE);
        percentiles = Collections.unmodifiableNavigableMap(known);
    }

    /** Of times in µs. */
    static ForeignTimes of(Histogram micros) {
        NavigableMap<Double, Double> percentiles = new TreeMap<>();
        for (double percent : new double[] {50, 95, 99}) {
            percentiles.put(percent, micros.getValueAtPercentile(percent) / 1e3);
        }
        return new ForeignTimes(
                micros.getMean() / 1e3, micros.getMinValue() / 1e3, micros.getMaxValue() / 1e3, percentiles);
    }

    /** NaN if unknown. */
    double percentile(double percent) {
        return percentiles.getOrDefault(percent, Double.NaN);
    }
}
