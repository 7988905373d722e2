package io.phaseload.measure.times;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether times are few, many or packed, they are the same times. */
class TimesTest {

    private final Random random = new Random(1);
    private final Histogram all = Times.newHistogram();

    @ParameterizedTest
    @CsvSource({"3, 5", "512, 0", "0, 513", "500, 100", "513, 7", "7, 513", "2000, 3000"})
    void timesAreAddedWithoutLoss(int first, int second) {
        for (boolean packs : new boolean[] {false, true}) {
            for (boolean packsOther : new boolean[] {false, true}) {
                all.reset();
                Times sum = times(first);
                Times other = times(second);
                if (packs) {
                    sum.pack();
                }
                if (packsOther) {
                    other.pack();
                }
                sum.add(other);
                assertThat(sum.count(Timing.RESPONSE)).isEqualTo(first + second);
                assertThat(sum.histogram(Timing.RESPONSE)).isEqualTo(all);
                assertThat(other.count(Timing.RESPONSE)).isEqualTo(second);
                record(sum, 600);
                assertThat(sum.histogram(Timing.RESPONSE)).isEqualTo(all);
                sum.pack();
                assertThat(sum.histogram(Timing.RESPONSE)).isEqualTo(all);
                assertThat(sum.isLarge()).isFalse();
            }
        }
    }

    /** Each of them has others' places, too: a histogram of three times ends at the longest. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 100})
    void manyAreAddedWithoutLoss(int count) {
        for (int of : new int[] {0, 3, 600}) {
            all.reset();
            Times sum = times(of);
            List<Times> others = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Times other = times(random.nextInt(700));
                if (i % 3 != 0) {
                    other.pack();
                }
                others.add(other);
            }
            Times coarse = new Times();
            Histogram digits = new Histogram(1, 1_000_000, 2);
            digits.recordValue(1_000);
            all.add(digits);
            coarse.pack(Timing.RESPONSE, digits);
            others.add(coarse);
            sum.addAll(others);
            assertThat(sum.count(Timing.RESPONSE)).isEqualTo(all.getTotalCount());
            assertThat(sum.histogram(Timing.RESPONSE)).isEqualTo(all);
            assertThat(sum.count(Timing.SERVICE)).isZero();
        }
    }

    @Test
    void histogramsAreMadeOnlyOfManyTimes() {
        Times times = times(512);
        assertThat(times.isLarge()).isFalse();
        record(times, 1);
        assertThat(times.isLarge()).isTrue();
        times.reset();
        assertThat(times.isLarge()).isTrue();
        record(times, 512);
        times.reset();
        assertThat(times.isLarge()).isFalse();
        assertThat(times.histograms()).isEmpty();
    }

    @Test
    void ofFewTimesNoHistogramIsMade() {
        Times sum = times(3);
        sum.add(times(5));
        assertThat(sum.isLarge()).isFalse();

        Times none = new Times();
        none.pack();
        record(none, 1);
        assertThat(none.isLarge()).isFalse();
    }

    private Times times(int count) {
        Times times = new Times();
        record(times, count);
        return times;
    }

    /** From 0 to beyond what a histogram takes, which counts as its highest. */
    private void record(Times times, int count) {
        for (int i = 0; i < count; i++) {
            long nanos = random.nextLong() >>> random.nextInt(18, 64);
            times.record(Timing.RESPONSE, nanos);
            all.recordValue(Math.min(nanos, all.getHighestTrackableValue()));
        }
    }
}
