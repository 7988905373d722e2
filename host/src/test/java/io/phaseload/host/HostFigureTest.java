package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.Memory;
import io.phaseload.host.linux.PortRange;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.host.linux.SocketState;
import io.phaseload.host.linux.Sockets;
import io.phaseload.host.linux.Softnet;
import io.phaseload.host.linux.TcpCounters;
import io.phaseload.host.linux.Traffic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostFigureTest {

    private static final long MIB = 1 << 20;

    /** Half a second apart, so that rates are twice the increases. */
    private static final HostSample BEFORE = new HostSample(
            -1_000_000_000L,
            new ProcessSample(
                    1_000_000_000L,
                    4,
                    100,
                    Optional.of(40_000_000L),
                    64 * MIB,
                    Optional.of(1_024L),
                    Optional.of(10L),
                    Optional.of(1_000L),
                    waits(1_000_000, 10),
                    Optional.of(5_000_000L)),
            new MachineSample(
                    Optional.of(CpuStat.parse("cpu0 100 0 0 100 0 0 0 0\ncpu1 50 0 0 150 0 0 0 0\nctxt 1000\n")),
                    Optional.of(1L),
                    Map.of("cpu", 1_000L, "memory", 2_000L),
                    Optional.of(new Memory(1_000, 900))),
            network("Tcp: OutSegs RetransSegs\nTcp: 1000 7\n", 1_000_000, 5, 20),
            Optional.of(new Measured(0, 7_000_000, Optional.of(3_000_000L), List.of(), Optional.empty())));

    private static final HostSample AFTER = new HostSample(
            -500_000_000L,
            new ProcessSample(
                    2_000_000_000L,
                    4,
                    125,
                    Optional.of(90_000_000L),
                    96 * MIB,
                    Optional.of(2_048L),
                    Optional.of(250L),
                    Optional.of(1_000L),
                    waits(9_000_000, 18),
                    Optional.of(55_000_000L)),
            new MachineSample(
                    Optional.of(CpuStat.parse("cpu0 125 0 0 100 0 0 20 5\ncpu1 60 0 0 190 0 0 0 0\nctxt 1500\n")),
                    Optional.of(1L),
                    Map.of("cpu", 51_000L, "memory", 2_000L),
                    Optional.of(new Memory(1_000, 250))),
            network("Tcp: OutSegs RetransSegs\nTcp: 1500 10\n", 7_250_000, 8, 70),
            Optional.of(new Measured(
                    15_000_000,
                    12_345_678,
                    Optional.of(23_000_000L),
                    List.of(new TcpConnection(1_000, 0, 10), new TcpConnection(4_000, 3, 2)),
                    Optional.of(new PoolUse(8, 2, 192)))));

    private static ThreadWaits waits(long nanos, long turns) {
        return new ThreadWaits(Map.of("7", new RunQueueWait(Duration.ofNanos(nanos), turns)), 2);
    }

    /** The second interface has less traffic, and half the speed. */
    private static NetworkSample network(String snmp, long bytes, long lost, int sockets) {
        return new NetworkSample(
                TcpCounters.parse(snmp),
                Optional.of(3L),
                Optional.of(new Sockets(
                        Map.of(
                                SocketState.ESTABLISHED, sockets,
                                SocketState.FIN_WAIT_1, 1,
                                SocketState.LAST_ACK, 2),
                        sockets,
                        Map.of(),
                        4)),
                Optional.of(new PortRange(1, 1_000)),
                Map.of(
                        "eth0", new Traffic(bytes, bytes / 10, lost),
                        "eth1", new Traffic(bytes / 100, 0, 1)),
                Map.of("eth0", 1_000L, "eth1", 500L),
                Optional.of(new Softnet(lost, 0)));
    }

    @Test
    void eachIsMadeOfTwoSamples() {
        assertThat(HostFigure.allBetween(BEFORE, AFTER))
                .containsOnly(
                        Map.entry("cpuPercent", 50.0),
                        // 45 + 5 + 10 + 40 ticks, of which 5 were stolen.
                        Map.entry("machineCpuPercent", 55.0),
                        Map.entry("busiestCpuPercent", 90.0),
                        Map.entry("saturatedCpus", 0.0),
                        Map.entry("busiestCpuInterruptsPercent", 40.0),
                        Map.entry("stolenPercent", 5.0),
                        // Of the thread that was read, and of the one that it counts for.
                        Map.entry("runQueueMsPerSecond", 32.0),
                        Map.entry("runQueueMeanMs", 1.0),
                        Map.entry("throttledMsPerSecond", 100.0),
                        Map.entry("cpuPressurePercent", 10.0),
                        Map.entry("memoryPressurePercent", 0.0),
                        Map.entry("contextSwitchesPerSecond", 1_000.0),
                        Map.entry("gcMsPerSecond", 50.0),
                        Map.entry("safepointMsPerSecond", 100.0),
                        Map.entry("heapMiB", 96.0),
                        Map.entry("residentMiB", 2.0),
                        Map.entry("memoryUsedPercent", 75.0),
                        Map.entry("stallMsPerSecond", 30.0),
                        Map.entry("longestHiccupMs", 12.346),
                        Map.entry("loopLagMsPerSecond", 40.0),
                        Map.entry("openFiles", 250.0),
                        Map.entry("openFilesPercent", 25.0),
                        Map.entry("socketsEstablished", 70.0),
                        Map.entry("socketsSynSent", 0.0),
                        Map.entry("socketsCloseWait", 0.0),
                        Map.entry("socketsClosing", 3.0),
                        Map.entry("socketsSending", 4.0),
                        Map.entry("socketsTimeWait", 3.0),
                        Map.entry("portsUsed", 70.0),
                        Map.entry("portsUsedPercent", 7.0),
                        Map.entry("connectionRttMs", 2.5),
                        Map.entry("connectionLongestRttMs", 4.0),
                        Map.entry("connectionRetransmits", 1.5),
                        Map.entry("connectionSmallestWindow", 2.0),
                        Map.entry("poolLeased", 8.0),
                        Map.entry("poolAvailable", 2.0),
                        Map.entry("poolPending", 192.0),
                        Map.entry("tcpSegmentsSentPerSecond", 1_000.0),
                        Map.entry("tcpRetransmitsPerSecond", 6.0),
                        // 6.25 MB in half a second.
                        Map.entry("receivedMbitPerSecond", 100.0),
                        Map.entry("sentMbitPerSecond", 10.0),
                        Map.entry("linkSpeedMbitPerSecond", 1_000.0),
                        Map.entry("linkPercent", 10.0),
                        Map.entry("networkDropsPerSecond", 6.0),
                        Map.entry("softirqDropsPerSecond", 6.0),
                        Map.entry("softirqSqueezesPerSecond", 0.0));
    }

    /** They were begun anew, or an interface was. */
    @Test
    void countersThatWentBackwardsSayNothing() {
        assertThat(HostFigure.allBetween(AFTER, later(BEFORE)))
                .doesNotContainKeys(
                        "cpuPercent",
                        "gcMsPerSecond",
                        "throttledMsPerSecond",
                        "tcpRetransmitsPerSecond",
                        "receivedMbitPerSecond",
                        "linkPercent")
                .containsEntry("heapMiB", 64.0);
    }

    private static HostSample later(HostSample sample) {
        return copy(sample, 0, sample.machine().cpu().orElseThrow());
    }

    private static HostSample with(HostSample sample, CpuStat cpu) {
        return copy(sample, sample.nanos(), cpu);
    }

    private static HostSample copy(HostSample sample, long nanos, CpuStat cpu) {
        return new HostSample(
                nanos,
                sample.process(),
                new MachineSample(
                        Optional.of(cpu),
                        sample.machine().upNanos(),
                        sample.machine().pressureMicros(),
                        sample.machine().memory()),
                sample.network(),
                sample.measured());
    }

    @Test
    void betweenASampleAndItselfThereIsWhatThereIsNow() {
        assertThat(HostFigure.allBetween(AFTER, AFTER))
                .containsOnlyKeys(
                        "heapMiB",
                        "longestHiccupMs",
                        "poolLeased",
                        "poolAvailable",
                        "poolPending",
                        "residentMiB",
                        "memoryUsedPercent",
                        "linkSpeedMbitPerSecond",
                        "connectionRttMs",
                        "connectionLongestRttMs",
                        "connectionRetransmits",
                        "connectionSmallestWindow",
                        "openFiles",
                        "openFilesPercent",
                        "runQueueMeanMs",
                        "socketsEstablished",
                        "socketsSynSent",
                        "socketsCloseWait",
                        "socketsClosing",
                        "socketsSending",
                        "socketsTimeWait",
                        "portsUsed",
                        "portsUsedPercent");
    }

    @Test
    void aCpuIsSaturatedFrom95PercentOn() {
        assertThat(saturated("cpu0 94 0 0 6\ncpu1 95 0 0 5\ncpu2 100 0 0 0\n")).isEqualTo(2);
        assertThat(saturated("cpu0 1 0 0 99\ncpu1 0 0 0 100\ncpu2 0 0 0 100\n")).isZero();
    }

    private static double saturated(String after) {
        CpuStat before = CpuStat.parse("cpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu2 0 0 0 0\n");
        return HostFigure.SATURATED_CPUS
                .between(with(BEFORE, before), with(AFTER, CpuStat.parse(after)))
                .orElseThrow();
    }

    @Test
    void namesAreDifferent() {
        assertThat(HostFigure.names()).doesNotHaveDuplicates().allMatch(n -> n.matches("[A-Za-z]+"));
    }
}
