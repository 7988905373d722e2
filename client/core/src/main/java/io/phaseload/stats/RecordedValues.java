package io.phaseload.stats;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * The values that a histogram has, in order. Most of its tens of thousands of places are empty, and each of
 * {@link Histogram}'s own figures goes through all of them; this does it once. Its figures are the same.
 *
 * <p>Immutable, as long as the histogram isn't changed.
 */
public final class RecordedValues {

    private final Histogram times;
    private final long[] values;

    /** How many are no greater than each. */
    private final long[] upTo;

    private RecordedValues(Histogram times, long[] values, long[] upTo) {
        this.times = times;
        this.values = values;
        this.upTo = upTo;
    }

    /**
     * Reads a histogram.
     *
     * @param times not changed, now or later
     * @return its values
     */
    public static RecordedValues of(Histogram times) {
        long[] values = new long[64];
        long[] upTo = new long[64];
        int count = 0;
        long all = times.getTotalCount();
        long place = times.lowestEquivalentValue(times.getMinValue());
        // HdrHistogram's iterator looks at the empty places below the least value, too, and twice at each.
        for (long seen = 0; seen < all; place += times.sizeOfEquivalentValueRange(place)) {
            long here = times.getCountAtValue(place);
            if (here == 0) {
                continue;
            }
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
                upTo = Arrays.copyOf(upTo, 2 * count);
            }
            seen += here;
            values[count] = times.highestEquivalentValue(place);
            upTo[count++] = seen;
        }
        return new RecordedValues(times, Arrays.copyOf(values, count), Arrays.copyOf(upTo, count));
    }

    /** {@return their number} */
    public long total() {
        return upTo.length == 0 ? 0 : upTo[upTo.length - 1];
    }

    /** {@return the same as {@link Histogram#getMean()}} */
    public double mean() {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += times.medianEquivalentValue(values[i]) * (double) count(i);
        }
        return values.length == 0 ? 0 : sum / total();
    }

    /** {@return the same as {@link Histogram#getStdDeviation()}} */
    public double deviation() {
        double mean = mean();
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            double off = times.medianEquivalentValue(values[i]) - mean;
            squares += off * off * count(i);
        }
        return values.length == 0 ? 0 : Math.sqrt(squares / total());
    }

    /**
     * The value at a percentile.
     *
     * @param percentile from 0 to 100
     * @return the same as {@link Histogram#getValueAtPercentile(double)}
     */
    public long atPercentile(double percentile) {
        if (values.length == 0) {
            return 0;
        }
        double share = Math.min(Math.max(Math.nextDown(percentile), 0), 100);
        long rank = Math.max(1, (long) Math.ceil(share * total() / 100));
        int found = Arrays.binarySearch(upTo, rank);
        long value = values[found < 0 ? -found - 1 : found];
        return percentile == 0 ? times.lowestEquivalentValue(value) : value;
    }

    /**
     * The number of values between two.
     *
     * @param low the lower one, counted like all that the histogram doesn't tell from it
     * @param high the higher one, in the same way
     * @return the same as {@link Histogram#getCountBetweenValues(long, long)}
     */
    public long countBetween(long low, long high) {
        return Math.max(
                0, countUpTo(times.highestEquivalentValue(high)) - countUpTo(times.lowestEquivalentValue(low) - 1));
    }

    private long countUpTo(long value) {
        int found = Arrays.binarySearch(values, value);
        int index = found < 0 ? -found - 2 : found;
        return index < 0 ? 0 : upTo[index];
    }

    private long count(int index) {
        return index == 0 ? upTo[0] : upTo[index] - upTo[index - 1];
    }
}
