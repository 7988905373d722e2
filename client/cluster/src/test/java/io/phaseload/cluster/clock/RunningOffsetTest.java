package io.phaseload.cluster.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningOffsetTest {

    private static final long SECOND = 1_000_000_000L;

    /** Whatever routes and drift are like, the truth is within the bound, before and after. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theTruthIsWithinTheBound(long seed) {
        Random random = new Random(seed);
        long ahead = random.nextLong() / 4;
        double faster = (2 * random.nextDouble() - 1) * 99e-6;
        RunningOffset offset = new RunningOffset();
        long now = random.nextLong() / 4;
        long start = now;
        for (int i = 0; i < 500; i++) {
            long sent = now;
            long received = sent + 10_000 + random.nextInt(5_000_000);
            long answered = received + random.nextInt(1_000_000);
            long returned = answered + 10_000 + random.nextInt(i % 7 == 0 ? 300_000_000 : 200_000);
            offset.add(new ClockExchange(
                    sent, there(received, start, ahead, faster), there(answered, start, ahead, faster), returned));
            now = returned + random.nextInt(400_000_000);
            long at = returned + (long) (4 * SECOND * (random.nextDouble() - 0.5));
            RunningOffset.Here here = offset.here(there(at, start, ahead, faster));
            assertThat(Math.abs(here.nanos() - at)).isLessThanOrEqualTo(here.error());
        }
        RunningOffset.Here here = offset.here(there(now, start, ahead, faster));
        assertThat(here.error()).isLessThan(1_000_000);
    }

    private static long there(long here, long start, long ahead, double faster) {
        return here + ahead + (long) ((here - start) * faster);
    }

    @Test
    void anExchangeNarrowsTheBoundsAndTimeWidensThem() {
        RunningOffset offset = new RunningOffset();
        assertThat(offset.isKnown()).isFalse();
        assertThatThrownBy(() -> offset.here(0)).hasMessage("no exchange yet");
        // 1 s ahead; 10 µs there and 90 µs back.
        offset.add(new ClockExchange(0, SECOND + 10_000, SECOND + 10_000, 100_000));
        assertThat(offset.isKnown()).isTrue();
        assertThat(offset.here(SECOND + 100_000).error()).isBetween(50_000L, 50_020L);
        assertThat(offset.here(2 * SECOND + 100_000).error()).isBetween(149_900L, 150_100L);
        // The other way round: both together leave 20 µs, and what clocks may part in 1 ms.
        offset.add(new ClockExchange(1_000_000, SECOND + 1_090_000, SECOND + 1_090_000, 1_100_000));
        assertThat(offset.here(SECOND + 1_100_000).error()).isBetween(10_000L, 10_200L);
    }

    @Test
    void whatCannotBothBeTrueIsOfAClockThatWasStepped() {
        RunningOffset offset = new RunningOffset();
        offset.add(new ClockExchange(0, 50, 50, 100));
        offset.add(new ClockExchange(200, SECOND + 250, SECOND + 250, 300));
        assertThat(offset.here(SECOND + 300).nanos()).isBetween(200L, 400L);
    }
}
