package io.phaseload.schedule;

import java.time.Duration;

/**
 * A rate that changes linearly. By time <i>t</i> since the start,
 *
 * <pre>n(t) = a·t + (b − a)·t² / (2·T)</pre>
 *
 * <p>events are due, with <i>a</i> and <i>b</i> the rates at the start and the end in events per nanosecond and
 * <i>T</i> the length in nanoseconds. The start with index <i>i</i> is where n(t) = i:
 *
 * <pre>t(i) = 2·i / (a + √(a² + 2·i·(b − a) / T))</pre>
 *
 * <p>in the form that avoids cancellation when a and b are close. It is computed from the index each time; the error is
 * that of a double, below 1 ns in a day. There is no start at or after T.
 *
 * @param from a
 * @param to b
 * @param length T
 */
public record RampArrivals(Rate from, Rate to, Duration length) implements Schedule {

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if the length isn't above 0
     */
    public RampArrivals {
        Lengths.check(length);
    }

    @Override
    public Offsets offsets() {
        return Offsets.of(this::offset);
    }

    private long offset(double i) {
        double a = from.perSecond() / 1e9;
        double b = to.perSecond() / 1e9;
        double end = length.toNanos();
        double square = a * a + 2 * i * (b - a) / end;
        // Negative where a falling ramp never reaches that many events: 2·i / a is after T then.
        double nanos = 2 * i / (a + Math.sqrt(Math.max(0, square)));
        // Half a nanosecond for the rounding errors of a double.
        return nanos >= end - 0.5 ? Offsets.END : (long) nanos;
    }

    /** Finds the first start that isn't earlier, by bisection: inverting the formula would round. */
    @Override
    public long startsBefore(long nanos, long atMost) {
        long before = 0;
        long first = atMost;
        while (before < first) {
            long middle = before + (first - before) / 2;
            if (offset(middle) < nanos) {
                before = middle + 1;
            } else {
                first = middle;
            }
        }
        return before;
    }

    @Override
    public double perSecond(long nanos) {
        double part = Math.min(1, nanos / (double) length.toNanos());
        return from.perSecond() + (to.perSecond() - from.perSecond()) * part;
    }
}
