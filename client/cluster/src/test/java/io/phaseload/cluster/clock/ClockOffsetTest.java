package io.phaseload.cluster.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What exchanges prove, whatever routes and clocks are like. */
class ClockOffsetTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    @Test
    void theTruthIsWithinTheBounds() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            // Of another machine, which may have been up for long.
            long offset = random.nextLong(-5_000 * SECOND, 5_000 * SECOND);
            double drift = random.nextDouble(-50e-6, 50e-6);
            long there = random.nextLong(10 * MILLI);
            long back = random.nextLong(10 * MILLI);
            List<ClockExchange> burst = new ArrayList<>();
            long now = random.nextLong();
            long begin = now;
            for (int i = 0; i < 1 + random.nextInt(100); i++) {
                long arrives = now + there + random.nextLong(1 + MILLI);
                long answered = arrives + random.nextLong(1 + MILLI);
                long returns = answered + back + random.nextLong(1 + MILLI);
                burst.add(new ClockExchange(
                        now, clock(arrives, begin, offset, drift), clock(answered, begin, offset, drift), returns));
                now = returns + random.nextLong(5 * MILLI);
            }

            ClockOffset measured = ClockOffset.of(burst);

            long later = measured.measured() + random.nextLong(60 * SECOND);
            long truth = clock(later, begin, offset, drift);
            long duration = measured.measured() - begin;
            // Within a burst the clocks part, too: 50 ppm of a second at most.
            assertThat(Math.abs(measured.there(later) - truth))
                    .isLessThanOrEqualTo(measured.error(later) + duration / 20_000 + 1);
            assertThat(measured.here(measured.there(later))).isEqualTo(later);
        }
    }

    private static long clock(long now, long begin, long offset, double drift) {
        return now + offset + Math.round((now - begin) * drift);
    }

    @Test
    void anAsymmetricRouteWidensTheBoundAndDoesNotMoveIt() {
        // 9 ms there, 1 ms back, a clock 3.5 ms ahead.
        ClockOffset offset = ClockOffset.of(List.of(new ClockExchange(0, 12_500_000, 12_500_000, 10 * MILLI)));

        assertThat(offset.lower()).isEqualTo(2_500_000);
        assertThat(offset.upper()).isEqualTo(12_500_000);
        assertThat(offset.error(offset.measured())).isEqualTo(5 * MILLI);
        assertThat(offset.error(offset.measured() + 10 * SECOND)).isEqualTo(6 * MILLI);
    }

    /** One second is between them: both can't be true. */
    @Test
    void aStepIsTold() {
        ClockOffset offset = ClockOffset.of(
                List.of(new ClockExchange(0, 500, 600, 1_100), new ClockExchange(2_000, SECOND, SECOND, 2_010)));

        assertThat(offset.consistent()).isFalse();
        assertThat(offset.upper() - offset.lower()).isEqualTo(10);
    }
}
