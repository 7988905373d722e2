package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On files as proc(5) and cgroups(7) describe them. */
class SystemProbeTest {

    private static final long SECOND = 1_000_000_000L;

    @TempDir private Path system;

    private void write(String file, String text) throws IOException {
        Path path = system.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void thread(int id, String name, long waited, int turns) throws IOException {
        write("proc/self/task/" + id + "/comm", name + "\n");
        write("proc/self/task/" + id + "/schedstat", "5000 " + waited + " " + turns + "\n");
    }

    private SystemProbe probe() {
        return new SystemProbe(system.resolve("proc"), system.resolve("groups"));
    }

    @Test
    void withoutTheFilesNothingIsKnown() {
        SystemProbe probe = probe();

        assertThat(probe.between(probe.read(0), probe.read(SECOND))).isEqualTo(SystemUse.UNKNOWN);
    }

    @Test
    void onlyWaitsOfSendingThreadsCount() throws IOException {
        thread(11, "phaseload-peak-", 1_000, 17);
        thread(12, "phaseload-peak-", 2_000, 17);
        thread(13, "C2 CompilerThre", 9_000, 17);
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(0);
        thread(11, "phaseload-peak-", 1_500, 30);
        thread(13, "C2 CompilerThre", 99_000, 50);
        thread(14, "ForkJoinPool-1-", 70, 7);

        SystemUse use = probe.between(before, probe.read(SECOND));

        assertThat(use.runQueue()).contains(new RunQueueWait(Duration.ofNanos(570), 20));
    }

    /** They ended while they were read, or the system says less of them. */
    @Test
    void unreadableThreadsAreSkipped() throws IOException {
        write("proc/self/task/11/comm", "phaseload-peak-\n");
        write("proc/self/task/12/schedstat", "5000 1000 17\n");
        thread(13, "phaseload-peak-", 1_000, 17);
        write("proc/self/task/14/comm", "phaseload-peak-\n");
        write("proc/self/task/14/schedstat", "5000 1000\n");

        assertThat(probe().read(0).waits())
                .containsExactly(entry("13", new RunQueueWait(Duration.ofNanos(1_000), 17)));
    }

    @ParameterizedTest
    @CsvSource({"500, 500", "501, 250"})
    void upTo500ThreadsAreRead(int threads, int read) throws IOException {
        for (int id = 1; id <= threads; id++) {
            thread(id, "phaseload-peak-", 0, 3);
        }

        assertThat(probe().read(0).waits()).hasSize(read);
    }

    /** Every third is read, and counts for three. */
    @Test
    void manyThreadsAreSampled() throws IOException {
        for (int id = 1; id <= 1_200; id++) {
            thread(id, "phaseload-peak-", 0, 3);
        }
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(0);
        assertThat(before.waits()).hasSize(400);
        for (int id = 1; id <= 1_200; id++) {
            thread(id, "phaseload-peak-", 10, 4);
        }

        SystemUse use = probe.between(before, probe.read(SECOND));

        assertThat(use.runQueue()).contains(new RunQueueWait(Duration.ofNanos(12_000), 1_200));
    }

    /** Of two CPUs, the last numbers are guests' time, which is in the first ones already. */
    @ParameterizedTest
    @CsvSource({"'', 0.2, 0.3", "0-1, 0.2, 0.3", "'0,1', 0.2, 0.3", "0, 0, 0.5", "1, 0.4, 0.1"})
    void stealAndIdleTimeCoverTheClientsCpusOnly(String allowed, double stolen, double idle)
            throws IOException {
        write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t" + allowed + "\n");
        stat("100 0 100 700 50 0 50 0 30 0", "7 7 7 7 7 7 7 7 7 7");
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(0);
        stat("140 0 110 740 60 0 50 0 60 0", "57 7 7 17 7 7 7 47 57 7");

        SystemUse use = probe.between(before, probe.read(SECOND));

        assertThat(use.stolen().orElseThrow()).isCloseTo(stolen, within(1e-9));
        assertThat(use.idle().orElseThrow()).isCloseTo(idle, within(1e-9));
    }

    private void stat(String cpu0, String cpu1) throws IOException {
        write("proc/stat", "cpu  9 9 9\ncpu0 " + cpu0 + "\ncpu1 " + cpu1 + "\nintr 1 2 3\n");
    }

    @Test
    void aGapInTheClockIsASuspension() throws IOException {
        write("proc/uptime", "1000.25 1.0\n");
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(0);
        write("proc/uptime", "1011.25 1.0\n");

        assertThat(probe.between(before, probe.read(SECOND)).suspended())
                .contains(Duration.ofSeconds(10));
        assertThat(probe.between(before, probe.read(11 * SECOND - SECOND / 10)).suspended())
                .contains(Duration.ZERO);
    }

    /** The clocks are read one after the other. */
    @Test
    void aShortGapInTheClockIsNotASuspension() throws IOException {
        write("proc/uptime", "1000.25 1.0\n");
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(SECOND);
        write("proc/uptime", "1001.25 1.0\n");

        assertThat(probe.between(before, probe.read(SECOND + 750_000_001)).suspended())
                .contains(Duration.ZERO);
        assertThat(probe.between(before, probe.read(SECOND + 750_000_000)).suspended())
                .contains(Duration.ofMillis(250));
    }

    @Test
    void withinATickCpuUseIsUnknown() throws IOException {
        stat("100 0 100 700 50 0 50 0 30 0", "7 7 7 7 7 7 7 7 7 7");
        SystemProbe probe = probe();

        SystemUse use = probe.between(probe.read(0), probe.read(SECOND));

        assertThat(use.stolen()).isEmpty();
        assertThat(use.idle()).isEmpty();
    }

    @Test
    void aControlGroupAndItsParentsThrottle() throws IOException {
        write("proc/self/cgroup", "0::/pod/client\n");
        write("groups/pod/cpu.stat", "nr_throttled 7\nthrottled_usec 5000\n");
        write("groups/pod/client/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(0);
        write("groups/pod/cpu.stat", "nr_throttled 9\nthrottled_usec 25000\n");

        assertThat(probe.between(before, probe.read(SECOND)).throttled())
                .contains(Duration.ofMillis(20));
    }

    @Test
    void version1ControlGroupsCountNanoseconds() throws IOException {
        write("proc/self/cgroup", "4:memory:/x\n1:cpu,cpuacct:/client\n");
        write("groups/cpu/client/cpu.stat", "nr_periods 3\nnr_throttled 1\nthrottled_time 7000\n");
        SystemProbe probe = probe();
        SystemProbe.Reading before = probe.read(0);
        write("groups/cpu/client/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_time 9000\n");

        assertThat(probe.between(before, probe.read(SECOND)).throttled())
                .contains(Duration.ofNanos(2_000));
    }
}
