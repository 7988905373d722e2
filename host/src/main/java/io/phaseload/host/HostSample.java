package io.phaseload.host;

import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.Memory;
import java.util.Map;
import java.util.Optional;

/**
 * A process and its machine at one moment: counters since they began, and what there is now. Values that the system
 * doesn't report are empty.
 *
 * @param nanos the moment, as {@link System#nanoTime()}
 * @param cpuNanos CPU time of the process
 * @param cores processors that it may use
 * @param gcMillis its time in stop-the-world garbage collections
 * @param safepointNanos for how long its threads had been stopped, for whatever reason of the JVM's
 * @param heapBytes the part of its heap that is in use
 * @param residentKib its memory that is in RAM
 * @param openFiles its files and sockets; now and then only, if they take long to count
 * @param mostOpenFiles the most open files
 * @param waits the time that its threads waited for a CPU
 * @param measured the lateness and the connections, measured by itself
 * @param cpu the time of the CPUs that it may run on
 * @param throttledNanos the time that its control group's limit kept its threads from running
 * @param upNanos since the machine's start, suspended time among it
 * @param pressureMicros the time that tasks of the machine waited, for {@code cpu}, {@code memory} and {@code io}
 * @param memory of the machine
 * @param network its network
 */
public record HostSample(
        long nanos,
        long cpuNanos,
        int cores,
        long gcMillis,
        Optional<Long> safepointNanos,
        long heapBytes,
        Optional<Long> residentKib,
        Optional<Long> openFiles,
        Optional<Long> mostOpenFiles,
        ThreadWaits waits,
        Optional<Measured> measured,
        Optional<CpuStat> cpu,
        Optional<Long> throttledNanos,
        Optional<Long> upNanos,
        Map<String, Long> pressureMicros,
        Optional<Memory> memory,
        NetworkSample network) {

    /** Keeps the map from being changed. */
    public HostSample {
        pressureMicros = Map.copyOf(pressureMicros);
    }

    /**
     * This sample with what the process measured itself.
     *
     * @param own by a thread or an event loop of its own
     * @return a copy
     */
    public HostSample with(Measured own) {
        return new HostSample(
                nanos,
                cpuNanos,
                cores,
                gcMillis,
                safepointNanos,
                heapBytes,
                residentKib,
                openFiles,
                mostOpenFiles,
                waits,
                Optional.of(own),
                cpu,
                throttledNanos,
                upNanos,
                pressureMicros,
                memory,
                network);
    }
}
