package io.phaseload.host;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.List;
import java.util.Optional;

/** Resources that this process has used since its start, by its JVM. Thread-safe. */
public final class JvmUse {

    private final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(collector -> stopsTheWorld(collector.getName()))
            .toList();

    /** Of the JVM that this runs in. */
    public JvmUse() {}

    /** Concurrent collectors report the length of their cycles beside that of their pauses. */
    static boolean stopsTheWorld(String name) {
        return !name.contains("Concurrent") && !name.contains("Cycles");
    }

    /**
     * CPU time of all its threads.
     *
     * @return zero if the JVM can't report it
     */
    public long cpuNanos() {
        return system instanceof com.sun.management.OperatingSystemMXBean own
                ? Math.max(0, own.getProcessCpuTime())
                : 0;
    }

    /**
     * Time in stop-the-world garbage collections.
     *
     * @return all of it
     */
    public long gcMillis() {
        long sum = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            sum += Math.max(0, collector.getCollectionTime());
        }
        return sum;
    }

    /**
     * The part of the heap that is in use, garbage included.
     *
     * @return in bytes
     */
    long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /**
     * How many files and sockets are open.
     *
     * @return empty where there are no file descriptors
     */
    public Optional<Long> openFiles() {
        if (!(system instanceof UnixOperatingSystemMXBean unix)) {
            return Optional.empty();
        }
        try {
            return Optional.of(unix.getOpenFileDescriptorCount());
        } catch (InternalError e) {
            // The JDK needs one more to count them, and there is none left.
            return mostOpenFiles();
        }
    }

    /**
     * How many may be open at a time.
     *
     * @return empty where there are no file descriptors
     */
    public Optional<Long> mostOpenFiles() {
        return system instanceof UnixOperatingSystemMXBean unix
                ? Optional.of(unix.getMaxFileDescriptorCount())
                : Optional.empty();
    }
}
