package io.phaseload.report.tables;

import io.phaseload.stats.QuantileRanks;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;

/** Percentiles of times, if there are enough samples. */
final class Percentiles {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final int STEPS_A_DECADE = 20;

    private Percentiles() {}

    /** A percentile in ms, or {@code null} if there are too few samples for it. */
    static Double millis(Histogram nanos, double percent) {
        return supports(nanos.getTotalCount(), percent / 100)
                ? millis(nanos.getValueAtPercentile(percent))
                : null;
    }

    /** The longest time in ms, or {@code null} if there is none. */
    static Double maxMillis(Histogram nanos) {
        return nanos.getTotalCount() == 0 ? null : millis(nanos.getMaxValue());
    }

    /** A microsecond at least: tables have no less, and a logarithmic axis has no zero. */
    static double millis(long nanos) {
        return Math.max(nanos, NANOS_PER_MICRO) / NANOS_PER_MILLI;
    }

    /**
     * A curve from the shortest time to the highest percentile with enough samples.
     *
     * @param nanos the times
     * @param point receives {@code 1/(1 − p)} (one in this many requests took longer) and the time
     *     in ms
     */
    static void curve(Histogram nanos, BiConsumer<Double, Double> point) {
        long n = nanos.getTotalCount();
        for (int i = 0; n > 0; i++) {
            double oneIn = Math.pow(10, (double) i / STEPS_A_DECADE);
            double p = 1 - 1 / oneIn;
            if (i > 0 && !supports(n, p)) {
                return;
            }
            point.accept(
                    oneIn,
                    i == 0
                            ? millis(nanos.getMinValue())
                            : millis(nanos.getValueAtPercentile(100 * p)));
        }
    }

    /** Whether so many samples support a percentile. */
    static boolean supports(long samples, double p) {
        return p < 0.5 ? samples > 0 : QuantileRanks.of(p, samples).isPresent();
    }
}
