package io.phaseload.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every schedule. */
class ScheduleContractTest {

    static Stream<Schedule> schedules() {
        Duration tenSeconds = Duration.ofSeconds(10);
        return Stream.of(
                new ConstantArrivals(Rate.perSecond(1_000)),
                new ConstantArrivals(Rate.parse("7/h")),
                new ConstantArrivals(Rate.parse("3/s")),
                new PoissonArrivals(Rate.perSecond(1_000), 42),
                new PoissonArrivals(Rate.parse("10/m"), 7),
                new RampArrivals(Rate.perSecond(10), Rate.perSecond(5_000), tenSeconds),
                new RampArrivals(Rate.perSecond(5_000), Rate.perSecond(10), tenSeconds),
                new RampArrivals(Rate.perSecond(100), Rate.perSecond(100), tenSeconds),
                new StepArrivals(List.of(
                        new StepArrivals.Step(Rate.perSecond(100), tenSeconds),
                        new StepArrivals.Step(Rate.perSecond(33), Duration.ofMillis(777)),
                        new StepArrivals.Step(Rate.perSecond(1), tenSeconds))),
                new BurstArrivals(25, Duration.ofMillis(300)));
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void offsetsBeginAtZeroOrLaterAndNeverGoBack(Schedule schedule) {
        Offsets offsets = schedule.offsets();
        long last = 0;
        for (int i = 0; i < 100_000 && last != Offsets.END; i++) {
            long next = offsets.nextNanos();
            if (next < last) {
                fail("offset %d of %s: %d after %d".formatted(i, schedule, next, last));
            }
            last = next;
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void offsetsStayAtTheEnd(Schedule schedule) {
        Offsets offsets = schedule.offsets();
        for (int i = 0; i < 100_000; i++) {
            if (offsets.nextNanos() == Offsets.END) {
                assertThat(offsets.nextNanos()).isEqualTo(Offsets.END);
                assertThat(offsets.nextNanos()).isEqualTo(Offsets.END);
                return;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void everyCallBeginsTheSameSequence(Schedule schedule) {
        Offsets one = schedule.offsets();
        Offsets other = schedule.offsets();
        for (int i = 0; i < 10_000; i++) {
            if (one.nextNanos() != other.nextNanos()) {
                fail("offset %d of %s differs".formatted(i, schedule));
            }
        }
    }

    /** At each start, around it, and between. */
    @ParameterizedTest
    @MethodSource("schedules")
    void countsMatchTheSequence(Schedule schedule) {
        Offsets offsets = schedule.offsets();
        assertThat(schedule.startsBefore(0, 100)).isZero();
        long last = -1;
        for (int i = 0; i < 200_000; i++) {
            long next = offsets.nextNanos();
            // A few of them, but all around the end of a Poisson process's first block.
            boolean looked = i % 9_973 == 0 || i > 65_530 && i < 65_540 || next == Offsets.END;
            if (looked && next > last) {
                assertThat(schedule.startsBefore(next, Long.MAX_VALUE)).isEqualTo(i);
                assertThat(schedule.startsBefore(next, i / 2)).isEqualTo(i / 2);
                assertThat(schedule.startsBefore(last + 1, Long.MAX_VALUE)).isEqualTo(i);
            }
            if (next == Offsets.END) {
                return;
            }
            last = next;
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void countsStopAtTheLimit(Schedule schedule) {
        long all = schedule.startsBefore(Offsets.END, 300_000);
        Offsets offsets = schedule.offsets();
        for (long i = 0; i < all; i++) {
            if (offsets.nextNanos() == Offsets.END) {
                fail("%d of %d starts of %s".formatted(i, all, schedule));
            }
        }
        assertThat(all == 300_000 || offsets.nextNanos() == Offsets.END).isTrue();
    }
}
