package io.phaseload.cluster.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What offsets over time prove of a clock's speed. */
class ClockDriftTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void theTruthIsWithinTheBounds() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            double ppm = random.nextDouble(-200, 200);
            long start = random.nextLong(-5_000 * SECOND, 5_000 * SECOND);
            List<ClockOffset> offsets = new ArrayList<>();
            for (int i = 0; i < 2 + random.nextInt(50); i++) {
                long truth = start + Math.round(i * SECOND * ppm / 1e6);
                offsets.add(
                        offset(i * SECOND, truth - random.nextLong(1, 500_000), truth + random.nextLong(1, 500_000)));
            }

            ClockDrift drift = ClockDrift.of(offsets).orElseThrow();

            assertThat(drift.consistent()).isTrue();
            assertThat(ppm).isBetween(drift.lowPpm(), drift.highPpm());
        }
    }

    @Test
    void longerWatchesKnowMore() {
        ClockDrift drift = ClockDrift.of(List.of(offset(0, -1_000, 1_000), offset(10 * SECOND, 49_000, 51_000)))
                .orElseThrow();

        assertThat(drift.lowPpm()).isEqualTo(4.8);
        assertThat(drift.highPpm()).isEqualTo(5.2);
    }

    @Test
    void aStepIsFound() {
        List<ClockOffset> offsets = List.of(
                offset(0, 0, 10), offset(SECOND, 0, 10),
                offset(2 * SECOND, 1_000_000, 1_000_010), offset(3 * SECOND, 1_000_000, 1_000_010));

        assertThat(ClockDrift.of(offsets).orElseThrow().consistent()).isFalse();
    }

    @Test
    void oneReadingSaysNothing() {
        assertThat(ClockDrift.of(List.of(offset(0, 0, 10)))).isEmpty();
    }

    private static ClockOffset offset(long at, long lower, long upper) {
        long delay = upper - lower;
        return new ClockOffset(lower, upper, at, 1, delay, delay, delay, lower + delay / 2, true);
    }
}
