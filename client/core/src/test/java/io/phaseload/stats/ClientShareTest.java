package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ClientShareTest {

    /** 1 to n µs, each changed. */
    private static Histogram times(int n, LongUnaryOperator change) {
        Histogram times = new Histogram(1, 3_600_000_000_000L, 3);
        for (long i = 1; i <= n; i++) {
            times.recordValue(change.applyAsLong(i * 1_000));
        }
        return times;
    }

    @Test
    void eachFigureHasAShareOfItsOwn() {
        Histogram watched = times(1_000, time -> time > 980_000 ? 2 * time : time);

        ClientShare share = ClientShare.of(watched, times(1_000, LongUnaryOperator.identity()))
                .orElseThrow();

        assertThat(share.samples()).isEqualTo(1_000);
        assertThat(share.p50Percent()).contains(0.0);
        assertThat(share.p95Percent()).contains(0.0);
        assertThat(share.p99Percent().orElseThrow()).isCloseTo(50, within(0.1));
        assertThat(share.meanPercent()).isCloseTo(100 * 19.81 / 520.31, within(0.1));
        assertThat(share.p999Percent()).as("of too few samples").isEmpty();
        assertThat(share.overLimit()).containsOnlyKeys("p99");
    }

    /** Fast requests, of which the client makes some slower, and as many slow ones: the median is between them. */
    @Test
    void theMedianOfAMixtureIsNotThatOfTheSlowestFastOne() {
        LongUnaryOperator slow = time -> time > 500_000 ? 20_000_000 : 200_000;
        Histogram watched =
                times(1_000, time -> slow.applyAsLong(time) + (time > 450_000 && time <= 500_000 ? 600_000 : 0));
        Histogram cleared = times(1_000, slow);

        assertThat(watched.getValueAtPercentile(50)).isLessThan(1_000_000);
        assertThat(ClientShare.of(watched, cleared).orElseThrow().overLimit()).isEmpty();
    }

    @Test
    void theLimitIsATenth() {
        assertThat(shares(10).overLimit()).isEmpty();
        assertThat(shares(10.1).overLimit()).isEqualTo(Map.of("the median", 10.1, "the mean", 10.1));
    }

    private static ClientShare shares(double percent) {
        return new ClientShare(9, percent, Optional.of(percent), Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void fewSamplesSayNothing() {
        assertThat(ClientShare.of(times(3, time -> time), times(3, time -> 1))).isEmpty();
    }
}
