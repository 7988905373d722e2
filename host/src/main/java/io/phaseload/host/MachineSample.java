package io.phaseload.host;

import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.Memory;
import java.util.Map;
import java.util.Optional;

/**
 * A machine at one moment, without its network. Values that the system doesn't report are empty.
 *
 * @param cpu the time of the CPUs that the process may run on
 * @param upNanos since the machine's start, suspended time among it
 * @param pressureMicros the time that tasks of the machine waited, for {@code cpu}, {@code memory} and {@code io}
 * @param memory of the machine
 */
public record MachineSample(
        Optional<CpuStat> cpu, Optional<Long> upNanos, Map<String, Long> pressureMicros, Optional<Memory> memory) {

    /** Keeps the map from being changed. */
    public MachineSample {
        pressureMicros = Map.copyOf(pressureMicros);
    }
}
