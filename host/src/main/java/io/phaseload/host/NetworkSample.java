package io.phaseload.host;

import io.phaseload.host.linux.PortRange;
import io.phaseload.host.linux.Sockets;
import io.phaseload.host.linux.Softnet;
import io.phaseload.host.linux.TcpCounters;
import io.phaseload.host.linux.Traffic;
import java.util.Map;
import java.util.Optional;

/**
 * The network at one moment.
 *
 * @param tcp TCP's counters; empty where there are none
 * @param timeWait connections that wait after their end
 * @param sockets of TCP; now and then only, if they take long to read
 * @param portRange of outgoing connections
 * @param traffic by interface, without the loopback
 * @param linkMbit the speed of each interface that reports it, in Mbit/s
 * @param softnet the counts of dropped packets
 */
public record NetworkSample(
        TcpCounters tcp,
        Optional<Long> timeWait,
        Optional<Sockets> sockets,
        Optional<PortRange> portRange,
        Map<String, Traffic> traffic,
        Map<String, Long> linkMbit,
        Optional<Softnet> softnet) {

    /** Keeps the maps from being changed. */
    public NetworkSample {
        traffic = Map.copyOf(traffic);
        linkMbit = Map.copyOf(linkMbit);
    }
}
