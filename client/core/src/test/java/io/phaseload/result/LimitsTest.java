package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.linux.ControlGroups;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsTest {

    @TempDir
    private Path root;

    @Test
    void theLowestLimitUpToTheRootCounts() throws Exception {
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/a/memory.max", "max\n");
        write("sys/fs/cgroup/a/b/memory.max", "1073741824\n");

        Limits limits = Limits.capture(new ControlGroups(root));

        assertThat(limits.cgroupCpus()).contains(1.5);
        assertThat(limits.cgroupMemoryMiB()).contains(1_024L);
    }

    @Test
    void version1HierarchiesAreReadToo() throws Exception {
        write("proc/self/cgroup", "4:memory:/m\n2:cpu,cpuacct:/c/d\n1:name=systemd:/x\n0::/\n");
        write("sys/fs/cgroup/cpu/c/d/cpu.cfs_quota_us", "-1\n");
        write("sys/fs/cgroup/cpu/c/d/cpu.cfs_period_us", "100000\n");
        write("sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "50000\n");
        write("sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
        write("sys/fs/cgroup/memory/m/memory.limit_in_bytes", "536870912\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

        Limits limits = Limits.capture(new ControlGroups(root));

        assertThat(limits.cgroupCpus()).contains(0.5);
        assertThat(limits.cgroupMemoryMiB()).contains(512L);
    }

    @Test
    void withoutTheFilesThereIsNoLimit() {
        Limits limits = Limits.capture(new ControlGroups(root));

        assertThat(limits.cgroupCpus()).isEmpty();
        assertThat(limits.cgroupMemoryMiB()).isEmpty();
    }

    private void write(String name, String text) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
