package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.linux.Captured;
import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.TcpCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostProbeTest {

    @TempDir
    private Path root;

    private HostProbe probe;

    @AfterEach
    void close() {
        probe.close();
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private HostProbe probe() {
        return new HostProbe(root, new JvmUse(), new SafepointTime(root.resolve("none")), name -> true);
    }

    private HostSample read() {
        probe = probe();
        assertThat(probe.baseline().process().openFiles()).isEmpty();
        return probe.read();
    }

    @Test
    void aSystemWithoutTheFilesTellsWhatTheJvmTells() {
        HostSample sample = read();

        assertThat(sample.process().cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(sample.process().heapBytes()).isPositive();
        assertThat(sample.machine().cpu()).isEmpty();
        assertThat(sample.machine().upNanos()).isEmpty();
        assertThat(sample.machine().memory()).isEmpty();
        assertThat(sample.process().residentKib()).isEmpty();
        assertThat(sample.process().throttledNanos()).isEmpty();
        assertThat(sample.process().waits().byThread()).isEmpty();
        assertThat(sample.machine().pressureMicros()).isEmpty();
        assertThat(sample.network())
                .isEqualTo(new NetworkSample(
                        new TcpCounters(Map.of()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        Optional.empty()));
    }

    @Test
    void whatIsMissingIsSaidWithTheReason() throws IOException {
        write("proc/net/snmp", "Tcp: OutSegs\nTcp: 7\n");
        probe = probe();

        Map<HostFigure, String> missing = probe.missingNow();

        assertThat(missing.get(HostFigure.CPU_PRESSURE)).contains("proc/pressure/cpu", "No such file");
        assertThat(missing)
                .containsEntry(HostFigure.TCP_RESETS, "not in /proc/net/snmp")
                .containsEntry(HostFigure.LINK, "not in /sys/class/net/*/speed")
                .doesNotContainKeys(
                        HostFigure.TCP_SEGMENTS,
                        HostFigure.CPU,
                        HostFigure.GC,
                        // What the process measures itself isn't the system's to tell.
                        HostFigure.STALL,
                        HostFigure.HICCUP,
                        HostFigure.LOOP_LAG);
    }

    @Test
    void onlyTheCpusThatTheProcessMayUseCount() throws IOException {
        write("proc/self/status", "Cpus_allowed_list:\t1\n");
        write("proc/stat", "cpu0 1 2 3 4\ncpu1 5 0 0 5\nctxt 9\n");

        CpuStat cpu = read().machine().cpu().orElseThrow();

        assertThat(cpu.cpus()).containsOnlyKeys(1);
        assertThat(cpu.contextSwitches()).contains(9L);
    }

    @Test
    void aGroupAndThoseAroundItThrottle() throws IOException {
        write("proc/self/cgroup", "0::/pod/client\n");
        write("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 7\nthrottled_usec 5000\n");
        write("sys/fs/cgroup/pod/client/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");

        assertThat(read().process().throttledNanos()).contains(5_000_000L);
    }

    @Test
    void version1OfGroupsHasAHierarchyEach() throws IOException {
        write("proc/self/cgroup", "4:memory:/x\n1:cpu,cpuacct:/client\nhostile\n");
        write("sys/fs/cgroup/cpu/client/cpu.stat", "nr_periods 3\nthrottled_time 7000\n");
        write("sys/fs/cgroup/memory/x/cpu.stat", "throttled_time 9000\n");

        assertThat(read().process().throttledNanos()).contains(7_000L);
    }

    @Test
    void uptimeIsSecondsWithTwoDecimals() throws IOException {
        write("proc/uptime", "1000.25 1.00\n");

        assertThat(read().machine().upNanos()).contains(1_000_250_000_000L);
    }

    @Test
    void theNetworkIsReadWithoutTheLoopback() throws IOException {
        write("proc/net/dev", Captured.text("dev"));
        write("sys/class/net/eth0/speed", "10000\n");
        write("sys/class/net/ifb0/speed", "-1\n");
        write("sys/class/net/lo/mtu", "65536\n");

        NetworkSample network = read().network();

        assertThat(network.traffic()).containsOnlyKeys("eth0", "ifb0", "ifb1");
        assertThat(network.linkMbit()).isEqualTo(Map.of("eth0", 10_000L));
    }

    @Test
    void socketsNeedTheRangeOfPortsButNotIpv6() throws IOException {
        write("proc/net/tcp", Captured.text("tcp"));
        assertThat(read().network().sockets()).isEmpty();
        probe.close();
        write("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");

        assertThat(read().network().sockets().orElseThrow().ports()).isEqualTo(6);
    }

    @Test
    void filesStayOpenAndAreReadAnew() throws IOException {
        write("proc/uptime", "1.00 1.00\n");
        read();
        write("proc/uptime", "12.50 1.00\n");
        assertThat(probe.read().machine().upNanos()).contains(12_500_000_000L);
        probe.close();
        write("proc/uptime", "13.50 1.00\n");

        assertThat(probe.read().machine().upNanos()).contains(13_500_000_000L);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "it has no /proc")
    void linuxTellsMostOfIt() {
        probe = HostProbe.ofThisSystem(new JvmUse(), name -> true);

        HostSample sample = probe.read();

        assertThat(sample.process().cpuNanos()).isPositive();
        assertThat(sample.process().openFiles().orElseThrow())
                .isBetween(1L, sample.process().mostOpenFiles().orElseThrow());
        assertThat(sample.machine().cpu().orElseThrow().total().all()).isPositive();
        assertThat(sample.machine().upNanos().orElseThrow()).isPositive();
        assertThat(sample.process().residentKib().orElseThrow())
                .isLessThan(sample.machine().memory().orElseThrow().totalKib());
        assertThat(sample.network().tcp().values()).containsKeys("OutSegs", "TCPSynRetrans");
        assertThat(sample.network().sockets()).isPresent();
        assertThat(HostProbe.missing())
                .doesNotContainKeys(HostFigure.MACHINE_CPU, HostFigure.RUN_QUEUE, HostFigure.OPEN_FILES);
    }
}
