package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On fake time, which begins at 0; the thread sleeps 5 ms at a time. */
class StallWatchTest {

    private long usedCpuMillis;
    private long usedGcMillis;
    private final StallWatch watch = new StallWatch(() -> nanos(usedCpuMillis), () -> usedGcMillis, 2, 0);

    private static long nanos(double millis) {
        return (long) (millis * 1_000_000);
    }

    /** Wakes up in time until then. */
    private void run(long untilMillis) {
        watch.begin(0);
        for (long at = 5; at <= untilMillis; at += 5) {
            watch.beat(nanos(at));
        }
    }

    @Test
    void punctualWakeUpsAreNoStall() {
        run(1_000);

        assertThat(watch.soFar()).isEqualTo(Stalls.NONE);
        assertThat(watch.stalledDuring(0, nanos(1_000))).isFalse();
    }

    @Test
    void theLatestWakeUpIsKnownAlsoIfItIsNoStall() {
        run(100);

        watch.beat(nanos(107));
        watch.beat(nanos(113));

        assertThat(watch.takeLongestHiccup()).isEqualTo(nanos(2));
        assertThat(watch.takeLongestHiccup()).isZero();
    }

    @Test
    void theStalledPartOfATimeIsKnown() {
        run(100);
        assertThat(watch.overlap(nanos(90), nanos(100))).isZero();
        assertThat(watch.overlap(nanos(100), nanos(112))).as("still under way").isEqualTo(nanos(7));

        watch.beat(nanos(125));

        assertThat(watch.overlap(nanos(110), nanos(126))).isEqualTo(nanos(15));
        assertThat(watch.overlap(nanos(125), nanos(127))).isZero();
    }

    /** A wake-up was due at 105 ms. */
    @ParameterizedTest
    @CsvSource({"109.9, 0", "110, 5", "135, 30"})
    void aWakeUpFiveMillisecondsLateIsAStall(double atMillis, long stalledMillis) {
        run(100);

        watch.beat(nanos(atMillis));

        assertThat(watch.soFar().total()).isEqualTo(Duration.ofMillis(stalledMillis));
        assertThat(watch.soFar().longest()).isEqualTo(Duration.ofMillis(stalledMillis));
        assertThat(watch.soFar().count()).isEqualTo(stalledMillis == 0 ? 0 : 1);
        assertThat(watch.soFar().stopped()).isZero();
    }

    /** The stall is from 105 to 205 ms. */
    @ParameterizedTest
    @CsvSource({
        "90, 210, true",
        "190, 206, true",
        "204, 304, false",
        "195, 305, false",
        "195, 295, true",
        "206, 300, false",
        "-1000, 206, false",
    })
    void aRequestIsAffectedIfATenthOfItsTimeIsAStall(long from, long to, boolean affected) {
        run(100);
        watch.beat(nanos(205));
        for (long at = 210; at <= to; at += 5) {
            watch.beat(nanos(at));
        }

        assertThat(watch.stalledDuring(nanos(from), nanos(to))).isEqualTo(affected);
    }

    /** All threads wake up at the same time. */
    @Test
    void aRequestMayEndBeforeTheSleeperHasWokenUp() {
        run(100);

        assertThat(watch.stalledDuring(nanos(100), nanos(109))).isFalse();
        assertThat(watch.stalledDuring(nanos(100), nanos(110))).isTrue();
        assertThat(watch.stalledDuring(nanos(100), nanos(205))).isTrue();
        assertThat(watch.stalledDuring(nanos(-5_000), nanos(205))).isFalse();
    }

    @Test
    void aProcessThatUsedNoCpuWasStopped() {
        run(100);
        usedCpuMillis += 8;

        watch.beat(nanos(2_105));

        assertThat(watch.soFar().stopped()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aProcessThatUsedTheCpuWasNotStopped() {
        run(100);
        usedCpuMillis += 1_000;

        watch.beat(nanos(2_105));

        assertThat(watch.soFar().total()).isEqualTo(Duration.ofSeconds(2));
        assertThat(watch.soFar().stopped()).isZero();
    }

    @Test
    void aStopDuringACollectionIsAStop() {
        run(100);
        usedCpuMillis += 8;
        usedGcMillis += 2_003;

        watch.beat(nanos(2_105));

        assertThat(watch.soFar().stopped()).isEqualTo(Duration.ofSeconds(2));
        assertThat(watch.stoppedGc()).isEqualTo(Duration.ofMillis(2_003));
    }

    @Test
    void aLongCollectionIsNotAStop() {
        run(100);
        usedCpuMillis += 600;
        usedGcMillis += 598;

        watch.beat(nanos(705));

        assertThat(watch.soFar().stopped()).isZero();
        assertThat(watch.stoppedGc()).isZero();
    }

    /** Shorter ones are over before the CPU time tells anything. */
    @ParameterizedTest
    @CsvSource({"249, 0", "250, 250"})
    void aStopLastsAQuarterOfASecondOrMore(long millis, long stopped) {
        run(100);

        watch.beat(nanos(105 + millis));

        assertThat(watch.soFar().stopped()).isEqualTo(Duration.ofMillis(stopped));
    }

    /** Before it was stopped, and after, it may have run: a tenth of two seconds and some more. */
    @ParameterizedTest
    @CsvSource({"0, 2000", "210, 2000", "400, 0"})
    void aStoppedProcessMayHaveUsedALittleCpu(long cpuMillis, long stopped) {
        run(100);
        usedCpuMillis += cpuMillis;

        watch.beat(nanos(2_105));

        assertThat(watch.soFar().stopped()).isEqualTo(Duration.ofMillis(stopped));
    }

    /** On so many cores, a collection may use less CPU than could have been used just before. */
    @ParameterizedTest
    @CsvSource({"125, 125, 0", "124, 125, 250", "125, 124, 250"})
    void aCollectionOfHalfTheStallIsNotAStop(long gcMillis, long cpuMillis, long stopped) {
        StallWatch manyCores = new StallWatch(() -> nanos(usedCpuMillis), () -> usedGcMillis, 640, 0);
        manyCores.begin(0);
        usedGcMillis += gcMillis;
        usedCpuMillis += cpuMillis;

        manyCores.beat(nanos(255));

        assertThat(manyCores.soFar().stopped()).isEqualTo(Duration.ofMillis(stopped));
        assertThat(manyCores.stoppedGc()).isEqualTo(Duration.ofMillis(stopped == 0 ? 0 : gcMillis));
    }

    @Test
    void stallsAddUp() {
        run(100);
        watch.beat(nanos(135));
        watch.beat(nanos(160));
        watch.beat(nanos(165));

        assertThat(watch.soFar()).isEqualTo(new Stalls(2, Duration.ofMillis(50), Duration.ofMillis(30), Duration.ZERO));
    }

    @Test
    void nothingIsLateBeforeTheSleeperStarts() {
        watch.beat(nanos(10_000));

        assertThat(watch.soFar()).isEqualTo(Stalls.NONE);
        assertThat(watch.stalledDuring(0, nanos(10_000))).isFalse();
    }
}
