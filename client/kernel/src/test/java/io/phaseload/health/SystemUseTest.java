package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.host.HostSample;
import io.phaseload.host.MachineSample;
import io.phaseload.host.NetworkSample;
import io.phaseload.host.ProcessSample;
import io.phaseload.host.ThreadWaits;
import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.host.linux.TcpCounters;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SystemUseTest {

    private static final long SECOND = 1_000_000_000L;

    private static HostSample sample(long nanos, Optional<String> stat, Optional<Long> throttled, Optional<Long> up) {
        return sample(nanos, stat, throttled, up, Map.of());
    }

    private static HostSample sample(
            long nanos,
            Optional<String> stat,
            Optional<Long> throttled,
            Optional<Long> up,
            Map<String, RunQueueWait> waits) {
        return new HostSample(
                nanos,
                new ProcessSample(
                        0,
                        1,
                        0,
                        Optional.empty(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new ThreadWaits(waits, 1),
                        throttled),
                new MachineSample(stat.map(CpuStat::parse), up, Map.of(), Optional.empty()),
                new NetworkSample(
                        new TcpCounters(Map.of()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        Optional.empty()),
                Optional.empty());
    }

    private static HostSample nothing(long nanos) {
        return sample(nanos, Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void aSystemThatTellsNothingIsUnknown() {
        assertThat(SystemUse.between(nothing(0), nothing(SECOND))).isEqualTo(SystemUse.UNKNOWN);
    }

    @Test
    void waitsAreThoseOfThreadsThatAreStillThere() {
        RunQueueWait first = new RunQueueWait(Duration.ofNanos(1_000), 17);
        RunQueueWait second = new RunQueueWait(Duration.ofNanos(1_500), 30);
        RunQueueWait other = new RunQueueWait(Duration.ofNanos(70), 7);
        Optional<Long> none = Optional.empty();
        HostSample before = sample(0, Optional.empty(), none, none, Map.of("11", first, "12", other));
        HostSample after = sample(SECOND, Optional.empty(), none, none, Map.of("11", second, "14", other));

        assertThat(SystemUse.between(before, after).runQueue()).contains(new RunQueueWait(Duration.ofNanos(570), 20));
    }

    @Test
    void stealAndIdleTimeArePartsOfAllCpus() {
        Optional<Long> none = Optional.empty();
        HostSample before = sample(0, Optional.of("cpu0 100 0 100 700 50 0 50 0\ncpu1 7 7 7 7 7 7 7 7\n"), none, none);
        HostSample after =
                sample(SECOND, Optional.of("cpu0 140 0 110 740 60 0 50 0\ncpu1 57 7 7 17 7 7 7 47\n"), none, none);

        SystemUse use = SystemUse.between(before, after);

        assertThat(use.stolen().orElseThrow()).isCloseTo(0.2, within(1e-9));
        assertThat(use.idle().orElseThrow()).isCloseTo(0.3, within(1e-9));
        // Within a tick nothing is known.
        assertThat(SystemUse.between(before, before).stolen()).isEmpty();
        assertThat(SystemUse.between(before, before).idle()).isEmpty();
    }

    @Test
    void throttlingIsTheIncrease() {
        HostSample before = sample(0, Optional.empty(), Optional.of(5_000_000L), Optional.empty());
        HostSample after = sample(SECOND, Optional.empty(), Optional.of(25_000_000L), Optional.empty());

        assertThat(SystemUse.between(before, after).throttled()).contains(Duration.ofMillis(20));
    }

    private static SystemUse up(long ranNanos, long upNanos) {
        return SystemUse.between(
                sample(7, Optional.empty(), Optional.empty(), Optional.of(9L)),
                sample(7 + ranNanos, Optional.empty(), Optional.empty(), Optional.of(9 + upNanos)));
    }

    /** The clocks are read one after the other, so that less than a quarter of a second may be so. */
    @Test
    void timeThatTheClockMissesWasSuspended() {
        assertThat(up(SECOND, 11 * SECOND).suspended()).contains(Duration.ofSeconds(10));
        assertThat(up(750_000_000, SECOND).suspended()).contains(Duration.ofMillis(250));
        assertThat(up(750_000_001, SECOND).suspended()).contains(Duration.ZERO);
        assertThat(up(SECOND + 1, SECOND).suspended()).contains(Duration.ZERO);
    }
}
