package io.phaseload.cli.doctor.facts;

import io.phaseload.host.HostSettings;
import io.phaseload.host.JvmUse;
import io.phaseload.result.Environment;
import java.util.Optional;

/**
 * The machine, and what it allows this process. Values that the system doesn't report are empty.
 *
 * @param openFiles the files and sockets that this process has open
 * @param quota the number of CPUs that its control group may use; empty also for no limit
 * @param clockNanos the time that it takes to read the time
 */
public record Machine(
        boolean linux,
        HostSettings settings,
        Optional<Long> openFiles,
        Optional<Long> mostOpenFiles,
        Optional<Double> quota,
        double clockNanos) {

    private static final int CLOCK_ROUNDS = 20;
    private static final int CLOCK_READS = 1_000;

    /** Reads it, in a tenth of a second. */
    public static Machine read() {
        JvmUse use = new JvmUse();
        return new Machine(
                System.getProperty("os.name").equals("Linux"),
                HostSettings.ofThisSystem(),
                use.openFiles(),
                use.mostOpenFiles(),
                Environment.capture().limits().cgroupCpus(),
                measuredClockNanos());
    }

    /** Of the fastest round: others may have been interrupted. */
    private static double measuredClockNanos() {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < CLOCK_ROUNDS; round++) {
            long start = System.nanoTime();
            long end = start;
            for (int i = 0; i < CLOCK_READS; i++) {
                end = System.nanoTime();
            }
            best = Math.min(best, end - start);
        }
        return (double) best / CLOCK_READS;
    }
}
