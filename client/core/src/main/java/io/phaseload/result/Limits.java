package io.phaseload.result;

import io.phaseload.host.JvmUse;
import io.phaseload.host.linux.ControlGroups;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The system's limits for this process. Empty if there is no limit, or the system doesn't report it.
 *
 * @param cgroupCpus the number of CPUs that the process's control group may use, such as 1.5
 * @param cgroupMemoryMiB the control group's memory limit, in MiB
 * @param openFiles the most files and sockets that may be open at a time
 */
public record Limits(Optional<Double> cgroupCpus, Optional<Long> cgroupMemoryMiB, Optional<Long> openFiles) {

    static Limits capture() {
        return capture(ControlGroups.ofThisSystem());
    }

    /**
     * The least of what its control groups allow, of version 2 and of version 1.
     *
     * @param groups of this process
     */
    static Limits capture(ControlGroups groups) {
        return new Limits(
                least(groups.of("cpu"), Limits::cpus),
                least(groups.of("memory"), Limits::memory).map(bytes -> bytes >> 20),
                new JvmUse().mostOpenFiles());
    }

    private static Optional<Double> cpus(Path group) {
        // "max 100000" or "150000 100000": microseconds of CPU in a period of microseconds.
        String[] unified = text(group.resolve("cpu.max")).split(" ");
        String quota = unified.length == 2 ? unified[0] : text(group.resolve("cpu.cfs_quota_us"));
        String period = unified.length == 2 ? unified[1] : text(group.resolve("cpu.cfs_period_us"));
        // Version 1 has -1 for no limit.
        return quota.matches("[0-9]+") && period.matches("[1-9][0-9]*")
                ? Optional.of(Double.parseDouble(quota) / Double.parseDouble(period))
                : Optional.empty();
    }

    private static Optional<Long> memory(Path group) {
        String unified = text(group.resolve("memory.max"));
        String bytes = unified.isEmpty() ? text(group.resolve("memory.limit_in_bytes")) : unified;
        // Version 1 has 2^63 less a page for no limit.
        return bytes.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(bytes)) : Optional.empty();
    }

    private static <T extends Comparable<T>> Optional<T> least(List<Path> groups, Function<Path, Optional<T>> limit) {
        return groups.stream().map(limit).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    private static String text(Path file) {
        return Environment.text(file).orElse("");
    }
}
