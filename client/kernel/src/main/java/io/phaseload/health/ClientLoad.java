package io.phaseload.health;

import java.time.Duration;

/**
 * Resources that the client's process used over a time span.
 *
 * @param wall the length of the span
 * @param cpu CPU time of the whole process, all threads; zero where the JVM doesn't report it
 * @param cores processors that the JVM may use
 * @param gc time in stop-the-world garbage collections, except while the process itself was stopped
 */
public record ClientLoad(Duration wall, Duration cpu, int cores, Duration gc) {

    /** An empty time span. */
    static final ClientLoad NONE =
            new ClientLoad(Duration.ZERO, Duration.ZERO, Runtime.getRuntime().availableProcessors(), Duration.ZERO);

    /**
     * The share of the machine's CPU that the process used.
     *
     * @return 0 to about 1
     */
    public double cpuShare() {
        return wall.isZero() ? 0 : (double) cpu.toNanos() / wall.toNanos() / cores;
    }

    /**
     * The share of the time that was spent in GC pauses.
     *
     * @return 0 to 1
     */
    public double gcShare() {
        return wall.isZero() ? 0 : (double) gc.toNanos() / wall.toNanos();
    }

    /**
     * Combines two processes, each on its own machine or one after the other.
     *
     * @param other the other one's
     * @return the sums; its shares are means, weighted by the available CPU time
     */
    ClientLoad plus(ClientLoad other) {
        int most = Math.max(cores, other.cores);
        long coreNanos = wall.toNanos() * cores + other.wall.toNanos() * other.cores;
        return new ClientLoad(Duration.ofNanos(coreNanos / most), cpu.plus(other.cpu), most, gc.plus(other.gc));
    }
}
