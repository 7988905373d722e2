package io.phaseload.server.endpoints;

import io.phaseload.host.RecentFigures;
import io.phaseload.host.linux.Sockets;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Reads Tomcat's threads and connections through JMX, which works for an embedded Tomcat and for one that runs the WAR.
 */
public final class ContainerProbe {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final String domain;
    private final ObjectName pools;
    private final Supplier<Optional<Integer>> queue;

    /**
     * Creates a probe.
     *
     * @param domain the JMX domain of Tomcats; {@code *} means all in this JVM
     * @param queue tells how many requests wait for a thread, which JMX doesn't know
     */
    public ContainerProbe(String domain, Supplier<Optional<Integer>> queue) {
        this.domain = domain;
        this.queue = queue;
        try {
            pools = new ObjectName(domain + ":type=ThreadPool,name=*");
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("domain " + domain + ": " + e.getMessage(), e);
        }
    }

    String domain() {
        return domain;
    }

    /** The current figures, summed over all connectors; empty if there is no Tomcat. */
    public Optional<ContainerFigures> figures() {
        int busy = 0;
        int max = 0;
        long open = 0;
        int acceptCount = 0;
        Set<Integer> ports = new HashSet<>();
        boolean virtual = false;
        try {
            Set<ObjectName> names = server.queryNames(pools, null);
            if (names.isEmpty()) {
                return Optional.empty();
            }
            for (ObjectName name : names) {
                int busyHere = ((Number) server.getAttribute(name, "currentThreadsBusy")).intValue();
                // Tomcat's own marker for threads that it doesn't pool.
                virtual |= busyHere < 0;
                busy += Math.max(busyHere, 0);
                max += Math.max(((Number) server.getAttribute(name, "maxThreads")).intValue(), 0);
                open += ((Number) server.getAttribute(name, "connectionCount")).longValue();
                acceptCount += ((Number) server.getAttribute(name, "acceptCount")).intValue();
                ports.add(((Number) server.getAttribute(name, "localPort")).intValue());
            }
        } catch (JMException e) {
            // A connector disappeared while it was being read.
            return Optional.empty();
        }
        return Optional.of(new ContainerFigures(busy, max, open, virtual, queue.get(), acceptCount, ports));
    }

    /**
     * Without threads of its own pool, Tomcat knows neither a busy number nor a limit: both are 0.
     *
     * @param queuedRequests wait for a thread; empty if Tomcat doesn't tell
     * @param acceptCount the number of connections that may wait until they are accepted
     * @param ports on which it listens
     */
    public record ContainerFigures(
            int busyThreads,
            int maxThreads,
            long openConnections,
            boolean virtualThreads,
            Optional<Integer> queuedRequests,
            int acceptCount,
            Set<Integer> ports) {

        /** Busy threads; if Tomcat doesn't pool them, there is one per request. */
        int busyThreads(RequestTracker requests) {
            return virtualThreads ? requests.inFlight() : busyThreads;
        }

        /** Connections that wait until they are accepted; empty if the system doesn't report them now. */
        Optional<Integer> acceptQueue(RecentFigures.Recent host) {
            return host.sockets().map(Sockets::acceptQueues).map(queues -> ports.stream()
                    .mapToInt(port -> queues.getOrDefault(port, 0))
                    .sum());
        }
    }
}
