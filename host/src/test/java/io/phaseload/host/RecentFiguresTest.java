package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.linux.TcpCounters;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecentFiguresTest {

    @TempDir
    private static Path none;

    private long millis;
    private long cpuMillis;
    private final HostProbe probe =
            new HostProbe(none, new JvmUse(), new SafepointTime(none.resolve("none")), thread -> true);
    private final RecentFigures recent = new RecentFigures(probe, sample(), this::sample, () -> millis * 1_000_000);

    /** Of a process on one CPU. */
    private HostSample sample() {
        return new HostSample(
                millis * 1_000_000,
                new ProcessSample(
                        cpuMillis * 1_000_000,
                        1,
                        0,
                        Optional.empty(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new ThreadWaits(Map.of(), 1),
                        Optional.empty()),
                new MachineSample(Optional.empty(), Optional.empty(), Map.of(), Optional.empty()),
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

    private Double cpuPercentAt(long at, long cpu) {
        millis = at;
        cpuMillis = cpu;
        return recent.now().figures().get("cpuPercent");
    }

    @Test
    void areThoseSinceTheLastCall() {
        assertThat(cpuPercentAt(1_000, 500)).isEqualTo(50);
        assertThat(cpuPercentAt(2_000, 1_500)).isEqualTo(100);
        assertThat(cpuPercentAt(12_000, 2_500)).isEqualTo(10);
    }

    @Test
    void anotherWhoAsksDoesNotShortenTheTime() {
        cpuPercentAt(1_000, 0);
        assertThat(cpuPercentAt(1_500, 600)).isEqualTo(40);
        // Of a whole second, and not of half a one.
        assertThat(cpuPercentAt(2_000, 600)).isEqualTo(60);
        // Since 1,500.
        assertThat(cpuPercentAt(2_500, 600)).isZero();
    }

    @Test
    void askingAtTheSameTimeGivesTheSame() {
        assertThat(cpuPercentAt(50, 50)).isNull();
        assertThat(cpuPercentAt(1_000, 500)).isEqualTo(50);
        assertThat(cpuPercentAt(1_099, 599)).isEqualTo(50);
    }

    @Test
    void columnsHaveNamesInSmallLetters() {
        assertThat(List.of("heapMiB", "tcpSynRetransmitsPerSecond", "cpuPercent"))
                .extracting(name -> HostFigure.lowerCase(name, "_"))
                .containsExactly("heap_mib", "tcp_syn_retransmits_per_second", "cpu_percent");
    }
}
