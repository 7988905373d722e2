package io.phaseload.health;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What a process has used since its start. */
interface ProcessUse {

    /** CPU time of all its threads; zero where the JVM doesn't report it. */
    long cpuNanos();

    /** Time in stop-the-world garbage collections. */
    long gcMillis();

    /** This process. */
    static ProcessUse own() {
        return new Own();
    }

    /** What the JVM says. */
    final class Own implements ProcessUse {

        private final List<GarbageCollectorMXBean> collectors =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .filter(collector -> stopsTheWorld(collector.getName()))
                        .toList();

        /** Concurrent collectors report the length of their cycles beside that of their pauses. */
        static boolean stopsTheWorld(String name) {
            return !name.contains("Concurrent") && !name.contains("Cycles");
        }

        @Override
        public long cpuNanos() {
            return ManagementFactory.getOperatingSystemMXBean()
                            instanceof com.sun.management.OperatingSystemMXBean system
                    ? Math.max(0, system.getProcessCpuTime())
                    : 0;
        }

        @Override
        public long gcMillis() {
            long sum = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                sum += Math.max(0, collector.getCollectionTime());
            }
            return sum;
        }
    }
}
