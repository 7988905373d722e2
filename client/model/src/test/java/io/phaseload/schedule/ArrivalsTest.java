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

/** What each schedule's formula says. */
class ArrivalsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long DAY = 86_400 * SECOND;

    @ParameterizedTest
    @CsvSource({"1/s, 86400", "1m/s, 86400000000", "3/s, 259200", "7/h, 168"})
    void aConstantRateDoesNotDriftWithinADay(String rate, long eventsOfADay) {
        Rate parsed = Rate.parse(rate);

        assertThat(parsed.offsetNanos(eventsOfADay)).isEqualTo(DAY);
        assertThat(parsed.offsetNanos(eventsOfADay - 1)).isLessThan(DAY);
        assertThat(parsed.offsetNanos(eventsOfADay - 1)).isEqualTo(DAY - ceil(DAY, eventsOfADay));
    }

    @Test
    void aConstantRateRoundsEachOffsetDownRatherThanTheGap() {
        assertThat(first(7, new ConstantArrivals(Rate.perSecond(3))))
                .containsExactly(0, 333_333_333, 666_666_666, SECOND, 1_333_333_333, 1_666_666_666, 2 * SECOND);
    }

    @Test
    void aMillionPerSecondIsOneStartPerMicrosecond() {
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
    void poissonGapsDoNotRevealBlockBoundaries() {
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
    void countsADayOfStartsWithoutGeneratingThem() {
        Rate million = Rate.perSecond(1_000_000);
        Duration day = Duration.ofDays(1);
        long perDay = 86_400_000_000L;

        assertThat(new ConstantArrivals(million).startsBefore(DAY, Long.MAX_VALUE))
                .isEqualTo(perDay);
        assertThat(new ConstantArrivals(million).startsBefore(DAY + 1, Long.MAX_VALUE))
                .isEqualTo(perDay + 1);
        assertThat(new RampArrivals(million, million, day).startsBefore(DAY, Long.MAX_VALUE))
                .isEqualTo(perDay);
        assertThat(new StepArrivals(List.of(new StepArrivals.Step(million, day)))
                        .startsBefore(Offsets.END, Long.MAX_VALUE))
                .isEqualTo(perDay);
        assertThat(new BurstArrivals(1_000_000, Duration.ofSeconds(1)).startsBefore(DAY, Long.MAX_VALUE))
                .isEqualTo(perDay);
        long poisson = new PoissonArrivals(million, 5).startsBefore(DAY, Long.MAX_VALUE);
        assertThat((double) poisson).isCloseTo(perDay, within(4 * Math.sqrt(perDay)));
    }

    @Test
    void offsetsBeyondTheLongestTimeAreTheEnd() {
        Rate slowest = new Rate(1, Duration.ofSeconds(5_000_000_000L));

        Offsets offsets = new PoissonArrivals(slowest, 1).offsets();

        long[] first = LongStream.generate(offsets::nextNanos).limit(100).toArray();
        assertThat(first).isSorted().endsWith(Offsets.END, Offsets.END);
    }

    /** Its first starts, and those around the end of its first block. */
    @Test
    void aSeedGivesTheSameSequenceInEveryVersion() {
        long[] offsets = first(65_538, new PoissonArrivals(Rate.perSecond(1_000), 42));

        assertThat(Arrays.copyOf(offsets, 4)).containsExactly(1_856_473, 1_992_874, 3_054_130, 3_232_494);
        assertThat(Arrays.copyOfRange(offsets, 65_534, 65_538))
                .containsExactly(65_827_409_363L, 65_828_428_548L, 65_829_368_802L, 65_830_012_107L);
    }

    @Test
    void differentSeedsGiveDifferentSequences() {
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
    void aDayLongRampHasTheRightNumberOfStarts() {
        Duration day = Duration.ofDays(1);
        Offsets offsets = new RampArrivals(Rate.perSecond(1), Rate.perSecond(3), day).offsets();
        long count = 0;
        while (offsets.nextNanos() != Offsets.END) {
            count++;
        }
        assertThat(count).isEqualTo(2 * 86_400);
    }

    @Test
    void eachStepStartsWhereThePreviousOneEnds() {
        StepArrivals steps = new StepArrivals(List.of(
                new StepArrivals.Step(Rate.perSecond(2), Duration.ofMillis(1_250)),
                new StepArrivals.Step(Rate.perSecond(4), Duration.ofMillis(500))));

        assertThat(first(6, steps)).containsExactly(0, SECOND / 2, SECOND, 1_250_000_000L, SECOND * 3 / 2, Offsets.END);
    }

    @Test
    void aBurstStartsAllAtOnce() {
        assertThat(first(7, new BurstArrivals(3, Duration.ofSeconds(1))))
                .containsExactly(0, 0, 0, SECOND, SECOND, SECOND, 2 * SECOND);
    }

    @Test
    void rejectsEmptySchedules() {
        Rate rate = Rate.perSecond(1);
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> new BurstArrivals(1, none));
            assertThatIllegalArgumentException().isThrownBy(() -> new RampArrivals(rate, rate, none));
            assertThatIllegalArgumentException().isThrownBy(() -> new StepArrivals.Step(rate, none));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new BurstArrivals(0, Duration.ofNanos(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new StepArrivals(List.of()));
    }

    /** A limit in the middle of a burst, at the end of one, and of more bursts than a long holds. */
    @ParameterizedTest
    @CsvSource({"2, 10, 6", "3, 10, 9", "4, 10, 10", "3, 9, 9", "3, 8, 8", "9000000000, 40, 40"})
    void burstsAreCountedUpToALimit(long bursts, long atMost, long expected) {
        BurstArrivals threes = new BurstArrivals(3, Duration.ofSeconds(1));

        assertThat(threes.startsBefore(bursts * SECOND, atMost)).isEqualTo(expected);
    }

    @Test
    void moreBurstsThanALongHoldsAreCountedUpToALimit() {
        BurstArrivals huge = new BurstArrivals(Long.MAX_VALUE / 2, Duration.ofNanos(1));

        assertThat(huge.startsBefore(3, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    /** A falling ramp has no more starts than the area under it, however many are asked for. */
    @Test
    void aFallingRampEnds() {
        RampArrivals ramp = new RampArrivals(Rate.perSecond(4), Rate.perSecond(1), Duration.ofSeconds(4));

        assertThat(ramp.startsBefore(Offsets.END, Long.MAX_VALUE)).isEqualTo(10);
        assertThat(first(12, ramp)).endsWith(Offsets.END, Offsets.END);
        assertThat(first(10, ramp)).doesNotContain(Offsets.END);
    }

    private static long[] first(int n, Schedule schedule) {
        Offsets offsets = schedule.offsets();
        return LongStream.generate(offsets::nextNanos).limit(n).toArray();
    }

    private static long ceil(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
