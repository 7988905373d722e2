package io.phaseload.host;

import java.util.Optional;

/**
 * A process and its machine at one moment: counters since they began, and what there is now.
 *
 * @param nanos the moment, as {@link System#nanoTime()}
 * @param process the process
 * @param machine its machine
 * @param network its network
 * @param measured the lateness and the connections, measured by itself; empty until it has done so
 */
public record HostSample(
        long nanos, ProcessSample process, MachineSample machine, NetworkSample network, Optional<Measured> measured) {

    /**
     * This sample with what the process measured itself.
     *
     * @param own by a thread or an event loop of its own
     * @return a copy
     */
    public HostSample with(Measured own) {
        return new HostSample(nanos, process, machine, network, Optional.of(own));
    }
}
