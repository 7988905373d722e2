package io.phaseload.schedule;

/**
 * Starts at equal intervals. The start with index <i>i</i> (from 0) is at
 *
 * <pre>t(i) = floor(i / r)</pre>
 *
 * <p><i>t</i> in nanoseconds, <i>r</i> the rate in events per nanosecond, computed in integers from the index each
 * time, so that rounding errors don't add up.
 *
 * @param rate r
 */
public record ConstantArrivals(Rate rate) implements Schedule {

    @Override
    public Offsets offsets() {
        return Offsets.of(rate::offsetNanos);
    }

    /** t(i) is below a time in whole nanoseconds if and only if i / r is. */
    @Override
    public long startsBefore(long nanos, long atMost) {
        return Math.min(atMost, rate.eventsBefore(nanos));
    }

    @Override
    public double perSecond(long nanos) {
        return rate.perSecond();
    }
}
