package io.phaseload.diagnosis.evidence;

import io.phaseload.host.HostFigure;
import io.phaseload.measure.HostFigures;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of the client's machine and of servers that rules use: their names without a server. */
public final class Figures {

    /** How often an accept queue overflowed, per second. */
    public static final String LISTEN_OVERFLOWS = HostFigure.TCP_LISTEN_OVERFLOWS.toString();

    /** Segments that were sent again, per second. */
    public static final String RETRANSMITS = HostFigure.TCP_RETRANSMITS.toString();

    /** The client's connections over which a large request was being sent. */
    public static final String SENDING = HostFigure.SENDING_SOCKETS.toString();

    /** The mean way there and back of some of the client's connections, in milliseconds. */
    public static final String ROUND_TRIP = HostFigure.CONNECTION_RTT.toString();

    /** The busier direction of the busiest interface, of its speed. */
    public static final String LINK = HostFigure.LINK.toString();

    /** CPU time of a server's process, of all cores. */
    public static final String CPU = HostFigure.CPU.toString();

    /** CPU time of a server's machine, of all cores that the process may use. */
    public static final String MACHINE_CPU = HostFigure.MACHINE_CPU.toString();

    /** Time in which a control group's limit kept a server from running, per second. */
    public static final String THROTTLED = HostFigure.THROTTLED.toString();

    /** The heap that is in use, garbage included. */
    public static final String HEAP = HostFigure.HEAP.toString();

    /** Busy threads of a server's pool, of all that it may have. */
    public static final String BUSY_THREADS_SHARE = "busyThreadsPercent";

    /** How many threads a server's pool may have. */
    public static final String MAX_THREADS = "maxThreads";

    /** Requests that a server is working on. */
    public static final String IN_FLIGHT = "inFlight";

    /** Requests that wait in a server, or in a proxy before it, until it works on them. */
    public static final String QUEUED = "queuedRequests";

    /** Requests that a server received, per second. */
    public static final String REQUESTS = "requestsPerSecond";

    /** How long a server says that it works on a request. */
    public static final String SERVICE = "serviceMs";

    private static final Set<String> KEPT = Stream.of(
                    LISTEN_OVERFLOWS,
                    RETRANSMITS,
                    SENDING,
                    ROUND_TRIP,
                    LINK,
                    CPU,
                    MACHINE_CPU,
                    THROTTLED,
                    HEAP,
                    BUSY_THREADS_SHARE,
                    MAX_THREADS,
                    IN_FLIGHT,
                    QUEUED,
                    REQUESTS,
                    SERVICE)
            .collect(Collectors.toUnmodifiableSet());

    private Figures() {}

    /** The reported ones of them; a server's have its name and a dot before them. */
    static Map<String, Double> kept(HostFigures told) {
        Map<String, Double> kept = new HashMap<>();
        told.values().forEach((name, value) -> {
            if (KEPT.contains(name.substring(name.indexOf('.') + 1))) {
                kept.put(name, value);
            }
        });
        return Map.copyOf(kept);
    }
}
