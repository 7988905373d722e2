package io.phaseload.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Reads what Linux reports about this process and its machine; see proc(5) and cgroups(7). */
final class SystemProbe {

    /** The clock that stops while a machine is suspended is read a little earlier or later. */
    private static final long LEAST_SUSPENDED_NANOS = Duration.ofMillis(250).toNanos();

    private final Path proc;
    private final Path groups;
    private final RunQueue runQueue;

    /**
     * Creates a probe.
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
     * @param cpuTicks of the CPUs that the process may run on
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
     * @param idle of which nothing ran
     * @param stolen of which other machines ran
     */
    record CpuTicks(long all, long idle, long stolen) {

        CpuTicks plus(CpuTicks other) {
            return new CpuTicks(all + other.all, idle + other.idle, stolen + other.stolen);
        }
    }

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
                share(from, to, CpuTicks::stolen),
                share(from, to, CpuTicks::idle),
                throttled,
                from.upNanos.flatMap(
                        before ->
                                to.upNanos.map(
                                        up -> suspended(up - before, to.nanos - from.nanos))));
    }

    private static Optional<Double> share(Reading from, Reading to, ToLongFunction<CpuTicks> part) {
        if (from.cpuTicks.isEmpty() || to.cpuTicks.isEmpty()) {
            return Optional.empty();
        }
        CpuTicks before = from.cpuTicks.get();
        CpuTicks after = to.cpuTicks.get();
        long all = after.all - before.all;
        // Within one tick nothing is known.
        return all <= 0
                ? Optional.empty()
                : Optional.of((double) (part.applyAsLong(after) - part.applyAsLong(before)) / all);
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
        // cpuN user nice system idle iowait irq softirq steal guest guest_nice; guests are in user.
        BitSet allowed = allowedCpus();
        return lines(proc.resolve("stat")).stream()
                .filter(line -> line.matches("cpu\\d+( \\d+){8,}"))
                .map(line -> line.substring("cpu".length()).split(" "))
                .map(fields -> Stream.of(fields).mapToLong(Long::parseLong).toArray())
                .filter(fields -> allowed.isEmpty() || allowed.get((int) fields[0]))
                .map(
                        fields ->
                                new CpuTicks(
                                        LongStream.of(fields).skip(1).limit(8).sum(),
                                        fields[4] + fields[5],
                                        fields[8]))
                .reduce(CpuTicks::plus);
    }

    /**
     * A line such as {@code Cpus_allowed_list: 0-3,8}; empty where the system doesn't report it.
     */
    private BitSet allowedCpus() {
        BitSet allowed = new BitSet();
        lines(proc.resolve("self/status")).stream()
                .filter(line -> line.matches("Cpus_allowed_list:\\s*\\d[0-9,-]*"))
                .flatMap(line -> Stream.of(line.replaceAll("[^0-9,-]", "").split(",")))
                .map(range -> range.split("-"))
                .forEach(
                        ends ->
                                allowed.set(
                                        Integer.parseInt(ends[0]),
                                        Integer.parseInt(ends[ends.length - 1]) + 1));
        return allowed;
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
