package io.phaseload.schedule;

import java.util.Random;

/**
 * A Poisson process: what many independent clients together do. Gaps between starts are
 * exponentially distributed,
 *
 * <pre>gap = −ln(1 − U) / r</pre>
 *
 * <p><i>gap</i> in nanoseconds, <i>r</i> the rate in events a nanosecond, <i>U</i> uniform in [0,
 * 1) from {@link Random}, whose algorithm is specified, so that a seed makes the same sequence on
 * every JDK. The first start is one gap after the phase's. Whole nanoseconds are summed up apart
 * from their fraction, so that rounding doesn't add up.
 *
 * @param rate r, on average
 * @param seed of the random numbers
 */
public record PoissonArrivals(Rate rate, long seed) implements Schedule {

    @Override
    public Offsets offsets() {
        return new Offsets() {
            private final Random random = new Random(seed);
            private final double meanGapNanos = 1e9 / rate.perSecond();
            private long nanos;
            private double fraction;

            @Override
            public long nextNanos() {
                fraction += -Math.log(1 - random.nextDouble()) * meanGapNanos;
                long whole = (long) fraction;
                fraction -= whole;
                nanos += whole;
                return nanos;
            }
        };
    }

    @Override
    public Schedule times(double share) {
        return new PoissonArrivals(rate.times(share), seed);
    }
}
