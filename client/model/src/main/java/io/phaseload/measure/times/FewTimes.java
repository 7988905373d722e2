package io.phaseload.measure.times;

import io.phaseload.timing.Timing;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Times as they came, up to {@value #MOST} of them: a histogram of so few takes a hundred times as much memory, and a
 * run of hundreds of operations has thousands of them.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
final class FewTimes {

    static final int MOST = 512;
    private static final int FIRST = 8;

    private long[] nanos = new long[FIRST];
    private int count;

    /** Whether one more is one too many. */
    boolean isFull() {
        return count == MOST;
    }

    /** Adds one, unless it {@link #isFull()}. */
    void add(long time) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = time;
    }

    int count() {
        return count;
    }

    void addTo(Times sum, Timing timing) {
        for (int i = 0; i < count; i++) {
            sum.record(timing, nanos[i]);
        }
    }

    void addTo(Histogram sum) {
        for (int i = 0; i < count; i++) {
            sum.recordValue(nanos[i]);
        }
    }

    /** The same as a histogram, for nothing that is longer. */
    Histogram histogram() {
        long longest = 2;
        for (int i = 0; i < count; i++) {
            longest = Math.max(longest, nanos[i]);
        }
        Histogram histogram = new Histogram(1, longest, Times.DIGITS);
        addTo(histogram);
        return histogram;
    }

    void clear() {
        count = 0;
    }
}
