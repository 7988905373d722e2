package io.phaseload.stats;

import org.HdrHistogram.Histogram;

/**
 * The mean and the standard deviation of a histogram, as the histogram itself computes them, but only from its lowest
 * value to its highest one: it begins at 0, and 10 ms are in its 15,000th bucket.
 *
 * @param mean of the times; 0 without one
 * @param deviation the standard deviation of the times; 0 without one
 */
public record Moments(double mean, double deviation) {

    /**
     * The moments of a histogram.
     *
     * @param times left as they are
     * @return the same as {@link Histogram#getMean()} and {@link Histogram#getStdDeviation()}
     */
    public static Moments of(Histogram times) {
        if (times.getTotalCount() == 0) {
            return new Moments(0, 0);
        }
        double mean = mean(times);
        double squares = 0;
        long most = times.getMaxValue();
        for (long value = least(times); value <= most; value = times.nextNonEquivalentValue(value)) {
            long count = times.getCountAtValue(value);
            if (count > 0) {
                double off = times.medianEquivalentValue(value) - mean;
                squares += off * off * count;
            }
        }
        return new Moments(mean, Math.sqrt(squares / times.getTotalCount()));
    }

    /**
     * The mean alone, in half the time.
     *
     * @param times left as they are
     * @return the same as {@link Histogram#getMean()}
     */
    public static double mean(Histogram times) {
        if (times.getTotalCount() == 0) {
            return 0;
        }
        double sum = 0;
        long most = times.getMaxValue();
        for (long value = least(times); value <= most; value = times.nextNonEquivalentValue(value)) {
            long count = times.getCountAtValue(value);
            if (count > 0) {
                sum += times.medianEquivalentValue(value) * (double) count;
            }
        }
        return sum / times.getTotalCount();
    }

    private static long least(Histogram times) {
        return times.lowestEquivalentValue(times.getMinValue());
    }
}
