package io.phaseload.schedule;

import java.util.Random;

/**
 * A Poisson process, as many independent clients produce it. Gaps between starts are independent and exponentially
 * distributed with mean 1 / <i>r</i>, <i>r</i> the rate in events per nanosecond. The first start is one gap after the
 * phase's.
 *
 * <p>Starts come in blocks of <i>k</i>, so that whole blocks can be counted without computing their starts: a block's
 * length <i>S</i>, the sum of k such gaps, is drawn first,
 *
 * <pre>S = Γ(k) / r</pre>
 *
 * <p>with Γ(k) from a gamma distribution of shape k (Marsaglia and Tsang 2000), and then each gap, given the length
 * <i>s</i> and the number of gaps <i>m</i> that are left,
 *
 * <pre>gap = s · (1 − (1 − U)^(1 / (m − 1))), the last one s</pre>
 *
 * <p>with <i>U</i> uniform in [0, 1). Random numbers are from {@link Random} and logarithms from {@link StrictMath},
 * which are specified, so that a seed gives the same sequence on every JDK. Whole nanoseconds and their fraction are
 * summed separately, so that rounding errors don't add up.
 *
 * @param rate r, on average
 * @param seed of the random numbers
 */
public record PoissonArrivals(Rate rate, long seed) implements Schedule {

    /** k: a day at 1,000,000/s is counted in 0.2 s, the starts within a block in a few milliseconds. */
    private static final int BLOCK = 1 << 16;

    @Override
    public Offsets offsets() {
        return new Sequence();
    }

    @Override
    public long startsBefore(long nanos, long atMost) {
        Sequence sequence = new Sequence();
        long count = 0;
        while (count < atMost && sequence.blockEnd() < nanos) {
            sequence.nextBlock();
            count += BLOCK;
        }
        while (count < atMost && sequence.nextNanos() < nanos) {
            count++;
        }
        return Math.min(atMost, count);
    }

    @Override
    public double perSecond(long nanos) {
        return rate.perSecond();
    }

    private final class Sequence implements Offsets {

        private final Random lengths = new Random(seed);
        private final double meanGapNanos = 1e9 / rate.perSecond();

        // The block in progress: it begins at nanos + fraction.
        private long nanos;
        private double fraction;
        private double length;
        private Random gaps;
        private int left;
        private double elapsed;

        Sequence() {
            beginBlock();
        }

        @Override
        public long nextNanos() {
            if (left == 0) {
                nextBlock();
            }
            left--;
            if (left == 0) {
                elapsed = length;
            } else {
                double gap = -StrictMath.expm1(StrictMath.log(1 - gaps.nextDouble()) / left);
                elapsed = Math.min(length, elapsed + (length - elapsed) * gap);
            }
            return offset(elapsed);
        }

        /** The offset of the block's last start. */
        long blockEnd() {
            return offset(length);
        }

        void nextBlock() {
            nanos = blockEnd();
            fraction += length;
            fraction -= (long) fraction;
            beginBlock();
        }

        private void beginBlock() {
            length = meanGapNanos * gamma(lengths);
            gaps = new Random(lengths.nextLong());
            left = BLOCK;
            elapsed = 0;
        }

        private long offset(double sinceBlock) {
            long whole = (long) (fraction + sinceBlock);
            return nanos + Math.min(whole, END - nanos);
        }
    }

    /** Of shape k. With one as large, v is above 0 for every x that a Gaussian draws. */
    private static double gamma(Random random) {
        double d = BLOCK - 1 / 3.0;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double root = 1 + c * x;
            double v = root * root * root;
            double u = 1 - random.nextDouble();
            if (StrictMath.log(u) < x * x / 2 + d - d * v + d * StrictMath.log(v)) {
                return d * v;
            }
        }
    }
}
