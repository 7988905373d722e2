package io.phaseload.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each schedule's formula says. */
class ArrivalsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long DAY = 86_400 * SECOND;

    @ParameterizedTest
    @CsvSource({"1/s, 86400", "1m/s, 86400000000", "3/s, 259200", "7/h, 168"})
    void aConstantRateHasNotDriftedAfterADay(String rate, long eventsOfADay) {
        Rate parsed = Rate.parse(rate);

        assertThat(parsed.offsetNanos(eventsOfADay)).isEqualTo(DAY);
        assertThat(parsed.offsetNanos(eventsOfADay - 1)).isLessThan(DAY);
        assertThat(parsed.offsetNanos(eventsOfADay - 1)).isEqualTo(DAY - ceil(DAY, eventsOfADay));
    }

    @Test
    void aConstantRateOfThreeASecondRoundsEachOffsetDownAndNotTheGap() {
        assertThat(first(7, new ConstantArrivals(Rate.perSecond(3))))
                .containsExactly(
                        0,
                        333_333_333,
                        666_666_666,
                        SECOND,
                        1_333_333_333,
                        1_666_666_666,
                        2 * SECOND);
    }

    @Test
    void aMillionASecondIsAStartAMicrosecondForADay() {
        Rate rate = Rate.perSecond(1_000_000);
        LongStream.of(0, 1, 999_999, 1_000_001, 43_200_000_000L, 86_399_999_999L)
                .forEach(i -> assertThat(rate.offsetNanos(i)).isEqualTo(i * 1_000));
    }

    @Test
    void poissonGapsAreExponential() {
        int n = 20_000;
        double mean = SECOND / 1_000.0;
        long[] offsets = first(n, new PoissonArrivals(Rate.perSecond(1_000), 20_261_120));
        double[] gaps = new double[n];
        for (int i = 0; i < n; i++) {
            gaps[i] = offsets[i] - (i == 0 ? 0 : offsets[i - 1]);
        }
        Arrays.sort(gaps);
        double distance = 0;
        for (int i = 0; i < n; i++) {
            double expected = 1 - Math.exp(-gaps[i] / mean);
            distance = Math.max(distance, Math.abs(expected - (double) i / n));
            distance = Math.max(distance, Math.abs(expected - (i + 1.0) / n));
        }
        // Kolmogorov-Smirnov at 1 %: 1.628 / √n.
        assertThat(distance).isLessThan(1.628 / Math.sqrt(n));
    }

    @Test
    void poissonCountsOfADayMatchTheRate() {
        Offsets offsets = new PoissonArrivals(Rate.perSecond(10), 1).offsets();
        long count = 0;
        while (offsets.nextNanos() < DAY) {
            count++;
        }
        assertThat((double) count).isCloseTo(864_000, within(4 * Math.sqrt(864_000)));
    }

    /** Across the blocks that it is made of, too, of which each gap knows how much is left. */
    @Test
    void poissonGapsDoNotTellWhereABlockEnds() {
        int blocks = 40;
        int n = blocks << 16;
        Offsets offsets = new PoissonArrivals(Rate.perSecond(1_000), 3).offsets();
        double squares = 0;
        double lastSquares = 0;
        long before = 0;
        for (int i = 0; i < n; i++) {
            long offset = offsets.nextNanos();
            double gap = (offset - before) / 1e6;
            before = offset;
            squares += gap * gap;
            // The last eighth of each block.
            lastSquares += i % 65_536 >= 57_344 ? gap * gap : 0;
        }
        // E(gap²) = 2, with a standard deviation of √20.
        assertThat(squares / n).isCloseTo(2, within(4 * Math.sqrt(20.0 / n)));
        assertThat(lastSquares / n * 8).isCloseTo(2, within(4 * Math.sqrt(20.0 * 8 / n)));
        assertThat(before / 1e6).isCloseTo(n, within(4 * Math.sqrt(n)));
    }

    /** As many as a queue may hold when a run ends: they are counted, not gone through. */
    @Test
    void theStartsOfADayAreCountedAtOnce() {
        Rate million = Rate.perSecond(1_000_000);
        Duration day = Duration.ofDays(1);
        long perDay = 86_400_000_000L;

        assertThat(new ConstantArrivals(million).startsBefore(DAY, Long.MAX_VALUE))
                .isEqualTo(perDay);
        assertThat(new ConstantArrivals(million).startsBefore(DAY + 1, Long.MAX_VALUE))
                .isEqualTo(perDay + 1);
        assertThat(new RampArrivals(million, million, day).startsBefore(DAY, Long.MAX_VALUE))
                .isEqualTo(perDay);
        assertThat(
                        new StepArrivals(List.of(new StepArrivals.Step(million, day)))
                                .startsBefore(Offsets.END, Long.MAX_VALUE))
                .isEqualTo(perDay);
        assertThat(
                        new BurstArrivals(1_000_000, Duration.ofSeconds(1))
                                .startsBefore(DAY, Long.MAX_VALUE))
                .isEqualTo(perDay);
        long poisson = new PoissonArrivals(million, 5).startsBefore(DAY, Long.MAX_VALUE);
        assertThat((double) poisson).isCloseTo(perDay, within(4 * Math.sqrt(perDay)));
    }

    @Test
    void whatIsOverTheLongestTimeEnds() {
        Rate slowest = new Rate(1, Duration.ofSeconds(5_000_000_000L));

        Offsets offsets = new PoissonArrivals(slowest, 1).offsets();

        long[] first = LongStream.generate(offsets::nextNanos).limit(100).toArray();
        assertThat(first).isSorted().endsWith(Offsets.END, Offsets.END);
    }

    @Test
    void anotherSeedIsAnotherSequence() {
        assertThat(first(10, new PoissonArrivals(Rate.perSecond(10), 1)))
                .isNotEqualTo(first(10, new PoissonArrivals(Rate.perSecond(10), 2)));
    }

    @ParameterizedTest
    @CsvSource({"10, 5000", "5000, 10", "100, 100", "1, 1000000"})
    void aRampSendsTheAreaUnderItsLine(long from, long to) {
        Duration length = Duration.ofSeconds(20);
        RampArrivals ramp = new RampArrivals(Rate.perSecond(from), Rate.perSecond(to), length);
        Offsets offsets = ramp.offsets();
        double a = from / 1e9;
        double slope = (to - from) / 1e9 / length.toNanos();
        long index = 0;
        double worst = 0;
        for (long t = offsets.nextNanos(); t != Offsets.END; t = offsets.nextNanos()) {
            // n(t) = i, up to the nanosecond that the offset is rounded by.
            double due = a * t + slope * t * t / 2;
            double rate = Math.max(from, to) / 1e9;
            worst = Math.max(worst, Math.abs(due - index) - 2 * rate);
            index++;
        }
        assertThat(worst).isLessThan(1e-3);
        assertThat((double) index).isCloseTo((from + to) / 2.0 * 20, within(1.0));
    }

    @Test
    void aDayLongRampEndsWhereItShould() {
        Duration day = Duration.ofDays(1);
        Offsets offsets = new RampArrivals(Rate.perSecond(1), Rate.perSecond(3), day).offsets();
        long count = 0;
        while (offsets.nextNanos() != Offsets.END) {
            count++;
        }
        assertThat(count).isEqualTo(2 * 86_400);
    }

    @Test
    void stepsBeginWhereTheLastOneEnds() {
        StepArrivals steps =
                new StepArrivals(
                        List.of(
                                new StepArrivals.Step(Rate.perSecond(2), Duration.ofMillis(1_250)),
                                new StepArrivals.Step(Rate.perSecond(4), Duration.ofMillis(500))));

        assertThat(first(6, steps))
                .containsExactly(
                        0, SECOND / 2, SECOND, 1_250_000_000L, SECOND * 3 / 2, Offsets.END);
    }

    @Test
    void aBurstIsAllAtOnce() {
        assertThat(first(7, new BurstArrivals(3, Duration.ofSeconds(1))))
                .containsExactly(0, 0, 0, SECOND, SECOND, SECOND, 2 * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"500/s, 500", "1.5k/s, 1500", "30/m, 0.5", "0.1/s, 0.1", "36/h, 0.01", "2m/s, 2e6"})
    void ratesAreParsed(String text, double perSecond) {
        assertThat(Rate.parse(text).perSecond()).isCloseTo(perSecond, within(perSecond * 1e-12));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "500", "/s", "500/", "500/d", "-1/s", "0/s", "0.0/s", "1e3/s", "100m/s"})
    void whatIsNoRateIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rate.parse(text))
                .withMessageContaining("expected");
    }

    @Test
    void aShareOfARateIsExactWhereItCanBe() {
        assertThat(Rate.perSecond(500).times(0.1)).isEqualTo(Rate.perSecond(50));
        assertThat(Rate.perSecond(1).times(0.25).perSecond()).isEqualTo(0.25);
        assertThat(Rate.perSecond(1).times(1 / 3.0).perSecond()).isCloseTo(1 / 3.0, within(1e-6));
    }

    private static long[] first(int n, Schedule schedule) {
        Offsets offsets = schedule.offsets();
        return LongStream.generate(offsets::nextNanos).limit(n).toArray();
    }

    private static long ceil(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
