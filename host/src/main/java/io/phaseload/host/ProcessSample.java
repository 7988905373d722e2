package io.phaseload.host;

import java.util.Optional;

/**
 * A process at one moment: counters since it began, and what there is now. Values that the system doesn't report are
 * empty.
 *
 * @param cpuNanos its CPU time
 * @param cores processors that it may use
 * @param gcMillis its time in stop-the-world garbage collections
 * @param safepointNanos for how long its threads had been stopped, for whatever reason of the JVM's
 * @param heapBytes the part of its heap that is in use
 * @param residentKib its memory that is in RAM
 * @param openFiles its files and sockets; now and then only, if they take long to count
 * @param mostOpenFiles the most open files
 * @param waits the time that its threads waited for a CPU
 * @param throttledNanos the time that its control group's limit kept its threads from running
 */
public record ProcessSample(
        long cpuNanos,
        int cores,
        long gcMillis,
        Optional<Long> safepointNanos,
        long heapBytes,
        Optional<Long> residentKib,
        Optional<Long> openFiles,
        Optional<Long> mostOpenFiles,
        ThreadWaits waits,
        Optional<Long> throttledNanos) {}
