package io.phaseload.server;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Asks Tomcat about its threads and connections, through JMX: the same for an embedded Tomcat and
 * for one that runs the WAR, whose classes an application doesn't touch.
 */
final class ContainerProbe {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final String domain;
    private final ObjectName pools;

    /** Creates a probe for the Tomcats of a JMX domain; {@code *} means all in this JVM. */
    ContainerProbe(String domain) {
        this.domain = domain;
        try {
            pools = new ObjectName(domain + ":type=ThreadPool,name=*");
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("domain " + domain + ": " + e.getMessage(), e);
        }
    }

    String domain() {
        return domain;
    }

    /** The figures now, summed over all connectors; empty if there is no Tomcat to ask. */
    Optional<Figures> figures() {
        int busy = 0;
        int max = 0;
        long open = 0;
        boolean virtual = false;
        try {
            Set<ObjectName> names = server.queryNames(pools, null);
            if (names.isEmpty()) {
                return Optional.empty();
            }
            for (ObjectName name : names) {
                int busyHere =
                        ((Number) server.getAttribute(name, "currentThreadsBusy")).intValue();
                // Tomcat's own sign for threads that it doesn't pool.
                virtual |= busyHere < 0;
                busy += Math.max(busyHere, 0);
                max += Math.max(((Number) server.getAttribute(name, "maxThreads")).intValue(), 0);
                open += ((Number) server.getAttribute(name, "connectionCount")).longValue();
            }
        } catch (JMException e) {
            // A connector went away while it was being asked.
            return Optional.empty();
        }
        return Optional.of(new Figures(busy, max, open, virtual));
    }

    /**
     * Without threads of its own pool, Tomcat knows neither a busy number nor a limit: both are 0.
     */
    record Figures(int busyThreads, int maxThreads, long openConnections, boolean virtualThreads) {

        /** Busy threads; where Tomcat doesn't pool them, there is one for each request. */
        int busyThreads(RequestTracker requests) {
            return virtualThreads ? requests.inFlight() : busyThreads;
        }
    }
}
