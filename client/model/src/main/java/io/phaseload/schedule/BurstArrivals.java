package io.phaseload.schedule;

import io.phaseload.options.ValueException;
import java.time.Duration;

/**
 * Bursts: several starts at the same moment, once per period. The start with index <i>i</i> is at
 *
 * <pre>t(i) = floor(i / n) · p</pre>
 *
 * <p>nanoseconds, with <i>n</i> the size and <i>p</i> the period in nanoseconds.
 *
 * @param size n, at least 1
 * @param period p, above 0
 */
public record BurstArrivals(long size, Duration period) implements Schedule {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the size is below 1 or the period isn't above 0
     */
    public BurstArrivals {
        if (size < 1) {
            throw new ValueException("size " + size, "1 or more");
        }
        Lengths.check(period);
    }

    @Override
    public Offsets offsets() {
        return Offsets.of(index -> index / size * period.toNanos());
    }

    @Override
    public long startsBefore(long nanos, long atMost) {
        long bursts = nanos <= 0 ? 0 : (nanos - 1) / period.toNanos() + 1;
        // The product could overflow.
        return bursts > atMost / size ? atMost : bursts * size;
    }

    @Override
    public double perSecond(long nanos) {
        return size * 1e9 / period.toNanos();
    }
}
