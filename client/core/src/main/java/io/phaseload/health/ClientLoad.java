package io.phaseload.health;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What the client's process used over a stretch of time.
 *
 * @param wall the stretch
 * @param cpu CPU time of the whole process, all threads; zero where the JVM can't tell
 * @param cores processors that the JVM may use
 * @param gc time in stop-the-world garbage collections
 */
public record ClientLoad(Duration wall, Duration cpu, int cores, Duration gc) {

    /** Of no time at all. */
    public static final ClientLoad NONE =
            new ClientLoad(
                    Duration.ZERO,
                    Duration.ZERO,
                    Runtime.getRuntime().availableProcessors(),
                    Duration.ZERO);

    /**
     * The part of the machine's CPU that the process used.
     *
     * @return 0 to about 1
     */
    public double cpuShare() {
        return wall.isZero() ? 0 : (double) cpu.toNanos() / wall.toNanos() / cores;
    }

    /**
     * The part of the time in which the process stood still for garbage collection.
     *
     * @return 0 to 1
     */
    public double gcShare() {
        return wall.isZero() ? 0 : (double) gc.toNanos() / wall.toNanos();
    }

    /**
     * What two processes used together, each on its own machine or one after the other.
     *
     * @param other the other one's
     * @return the sums; its shares are means, by CPU time that there was
     */
    public ClientLoad plus(ClientLoad other) {
        int most = Math.max(cores, other.cores);
        long coreNanos = wall.toNanos() * cores + other.wall.toNanos() * other.cores;
        return new ClientLoad(
                Duration.ofNanos(coreNanos / most), cpu.plus(other.cpu), most, gc.plus(other.gc));
    }

    /** Measures a stretch of time. Not thread-safe. */
    public static final class Meter {

        private final long startNanos = System.nanoTime();
        private final long startCpu = cpuNanos();
        private final long startGc = gcMillis();

        /** Begins a stretch. */
        public Meter() {}

        /**
         * Ends it.
         *
         * @return what was used since the beginning
         */
        public ClientLoad stop() {
            return new ClientLoad(
                    Duration.ofNanos(System.nanoTime() - startNanos),
                    Duration.ofNanos(cpuNanos() - startCpu),
                    Runtime.getRuntime().availableProcessors(),
                    Duration.ofMillis(gcMillis() - startGc));
        }

        private static long cpuNanos() {
            return ManagementFactory.getOperatingSystemMXBean()
                            instanceof com.sun.management.OperatingSystemMXBean system
                    ? Math.max(0, system.getProcessCpuTime())
                    : 0;
        }

        private static long gcMillis() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(Meter::stopsTheWorld)
                    .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                    .sum();
        }

        /** Concurrent collectors report the length of their cycles beside that of their pauses. */
        private static boolean stopsTheWorld(GarbageCollectorMXBean collector) {
            String name = collector.getName();
            return !name.contains("Concurrent") && !name.contains("Cycles");
        }
    }
}
