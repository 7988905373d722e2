package io.phaseload.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what Linux tells of this process and its machine; see proc(5) and cgroups(7). */
final class SystemProbe {

    /**
     * The clock that stands still while a machine is suspended is read a little earlier or later.
     */
    private static final long LEAST_SUSPENDED_NANOS = Duration.ofMillis(250).toNanos();

    private final Path proc;
    private final Path groups;
    private final RunQueue runQueue;

    /**
     * Makes a probe.
     *
     * @param proc where proc(5) is mounted
     * @param groups where control groups are mounted
     */
    SystemProbe(Path proc, Path groups) {
        this.proc = proc;
        this.groups = groups;
        this.runQueue = new RunQueue(proc.resolve("self/task"));
    }

    static SystemProbe ofThisSystem() {
        return new SystemProbe(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * All counters at one moment.
     *
     * @param nanos the moment, as {@link System#nanoTime()}
     * @param upNanos since the machine's start, suspended time among it
     * @param cpuTicks of all CPUs, by what for
     * @param throttledNanos of the control group
     * @param waits of threads
     */
    record Reading(
            long nanos,
            Optional<Long> upNanos,
            Optional<CpuTicks> cpuTicks,
            Optional<Long> throttledNanos,
            Map<String, RunQueueWait> waits) {}

    /**
     * CPU time of a machine.
     *
     * @param all whatever it was for
     * @param stolen given to other machines
     */
    record CpuTicks(long all, long stolen) {}

    Reading read(long nanos) {
        return new Reading(nanos, upNanos(), cpuTicks(), throttledNanos(), runQueue.waits());
    }

    /** What happened between two readings. */
    SystemUse between(Reading from, Reading to) {
        Optional<Duration> throttled =
                from.throttledNanos.flatMap(
                        before -> to.throttledNanos.map(after -> Duration.ofNanos(after - before)));
        return new SystemUse(
                to.waits.isEmpty()
                        ? Optional.empty()
                        : Optional.of(runQueue.between(from.waits, to.waits)),
                from.cpuTicks.flatMap(before -> to.cpuTicks.map(after -> stolen(before, after))),
                throttled,
                from.upNanos.flatMap(
                        before ->
                                to.upNanos.map(
                                        up -> suspended(up - before, to.nanos - from.nanos))));
    }

    private static double stolen(CpuTicks from, CpuTicks to) {
        long all = to.all - from.all;
        return all <= 0 ? 0 : (double) (to.stolen - from.stolen) / all;
    }

    private static Duration suspended(long upNanos, long ranNanos) {
        long missing = upNanos - ranNanos;
        return missing < LEAST_SUSPENDED_NANOS ? Duration.ZERO : Duration.ofNanos(missing);
    }

    private Optional<Long> upNanos() {
        return lines(proc.resolve("uptime")).stream()
                .findFirst()
                .map(line -> Math.round(Double.parseDouble(line.split(" ")[0]) * 1e9));
    }

    private Optional<CpuTicks> cpuTicks() {
        // cpu  user nice system idle iowait irq softirq steal guest guest_nice; guests are in user.
        return lines(proc.resolve("stat")).stream()
                .findFirst()
                .map(line -> line.trim().split(" +"))
                .filter(fields -> fields.length > 8 && fields[0].equals("cpu"))
                .map(
                        fields ->
                                new CpuTicks(
                                        Stream.of(fields)
                                                .skip(1)
                                                .limit(8)
                                                .mapToLong(Long::parseLong)
                                                .sum(),
                                        Long.parseLong(fields[8])));
    }

    /** Of the group that the process is in, or of one around it: the most that any says. */
    private Optional<Long> throttledNanos() {
        return lines(proc.resolve("self/cgroup")).stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3)
                .flatMap(this::throttledNanos)
                .max(Long::compare);
    }

    private Stream<Long> throttledNanos(String[] membership) {
        boolean unified = membership[1].isEmpty();
        if (!unified && !List.of(membership[1].split(",")).contains("cpu")) {
            return Stream.empty();
        }
        Path root = unified ? groups : groups.resolve("cpu");
        Path own = root.resolve(membership[2].substring(1)).normalize();
        return Stream.iterate(
                        own, group -> group != null && group.startsWith(root), Path::getParent)
                .flatMap(group -> lines(group.resolve("cpu.stat")).stream())
                .map(line -> line.split(" "))
                .filter(pair -> pair.length == 2 && pair[0].startsWith("throttled_"))
                .map(pair -> Long.parseLong(pair[1]) * (pair[0].endsWith("_usec") ? 1_000 : 1));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
