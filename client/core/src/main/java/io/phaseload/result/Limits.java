package io.phaseload.result;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the system allows this process. Empty where there is no limit, or the system doesn't report
 * it.
 *
 * @param cgroupCpus CPU time by wall time that the process's control group may use, such as 1.5
 * @param cgroupMemoryMiB the control group's memory, in MiB
 * @param openFiles the number of files and sockets that may be open at a time
 */
public record Limits(
        Optional<Double> cgroupCpus, Optional<Long> cgroupMemoryMiB, Optional<Long> openFiles) {

    static Limits capture() {
        return capture(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * Reads the limits of a process's control groups and of those that they are in, of version 2
     * and of version 1; see cgroups(7).
     *
     * @param membership lines such as {@code 0::/path} and {@code 4:memory:/path}
     * @param mounted where the hierarchies are mounted
     */
    static Limits capture(Path membership, Path mounted) {
        Optional<Double> cpus = Optional.empty();
        Optional<Long> bytes = Optional.empty();
        for (String line : read(membership)) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            List<String> controllers = List.of(parts[1].split(","));
            boolean unified = parts[1].isEmpty();
            if (unified || controllers.contains("cpu")) {
                Path root = unified ? mounted : mounted.resolve("cpu");
                cpus = least(cpus, groups(root, parts[2]).map(Limits::cpus));
            }
            if (unified || controllers.contains("memory")) {
                Path root = unified ? mounted : mounted.resolve("memory");
                bytes = least(bytes, groups(root, parts[2]).map(Limits::memory));
            }
        }
        return new Limits(cpus, bytes.map(limit -> limit >> 20), openFileLimit());
    }

    /** A group and those that it is in, up to the hierarchy's root. */
    private static Stream<Path> groups(Path root, String path) {
        Path group = root.resolve(path.substring(1)).normalize();
        return Stream.iterate(group, g -> g != null && g.startsWith(root), Path::getParent);
    }

    private static Optional<Double> cpus(Path group) {
        // "max 100000" or "150000 100000": microseconds of CPU in a period of microseconds.
        String[] unified = first(group.resolve("cpu.max")).split(" ");
        String quota = unified.length == 2 ? unified[0] : first(group.resolve("cpu.cfs_quota_us"));
        String period =
                unified.length == 2 ? unified[1] : first(group.resolve("cpu.cfs_period_us"));
        // Version 1 says -1 where there is no limit.
        return quota.matches("[0-9]+") && period.matches("[1-9][0-9]*")
                ? Optional.of(Double.parseDouble(quota) / Double.parseDouble(period))
                : Optional.empty();
    }

    private static Optional<Long> memory(Path group) {
        String unified = first(group.resolve("memory.max"));
        String bytes = unified.isEmpty() ? first(group.resolve("memory.limit_in_bytes")) : unified;
        // Version 1 says 2^63 less a page where there is no limit.
        return bytes.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(bytes)) : Optional.empty();
    }

    private static <T extends Comparable<T>> Optional<T> least(
            Optional<T> one, Stream<Optional<T>> others) {
        return Stream.concat(Stream.of(one), others)
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    private static String first(Path file) {
        List<String> lines = read(file);
        return lines.isEmpty() ? "" : lines.get(0).strip();
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Optional<Long> openFileLimit() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? Optional.of(unix.getMaxFileDescriptorCount())
                : Optional.empty();
    }
}
