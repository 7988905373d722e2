package io.phaseload.server.endpoints;

import com.sun.management.OperatingSystemMXBean;
import io.phaseload.host.RecentFigures;
import io.phaseload.server.endpoints.ContainerProbe.ContainerFigures;
import io.phaseload.server.rooms.MessageCounts;
import io.phaseload.server.rooms.Rooms;
import io.phaseload.service.Json;
import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /metrics.json}: what the server counted and measured. Its own requests aren't counted, though they keep
 * one thread busy and one connection open. Unknown figures are null.
 */
public final class MetricsEndpoint extends Endpoint {

    private final RequestTracker tracker;
    private final Rooms rooms;
    private final ContainerProbe container;
    private final RecentFigures host;

    public MetricsEndpoint(RequestTracker tracker, Rooms rooms, ContainerProbe container, RecentFigures host) {
        super(tracker, GET);
        this.tracker = tracker;
        this.rooms = rooms;
        this.container = container;
        this.host = host;
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        send(response, ServiceResponse.json(200, Json.object(this::write)));
    }

    private void write(JsonGenerator json) {
        writeRequests(json);
        writeRooms(json);
        RecentFigures.Recent recent = host.now();
        writeContainer(json, recent);
        writeProcess(json);
        json.writeObjectPropertyStart("host");
        recent.figures().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeNumberProperty("uptimeMs", TimeUnit.NANOSECONDS.toMillis(tracker.uptimeNanos()));
    }

    private void writeRequests(JsonGenerator json) {
        json.writeObjectPropertyStart("requests");
        json.writeNumberProperty("total", tracker.total());
        json.writeNumberProperty("inFlight", tracker.inFlight());
        json.writeNumberProperty("peakInFlight", tracker.peakInFlight());
        json.writeNumberProperty("aborted", tracker.abortedTotal());
        json.writeNumberProperty("events", tracker.events());
        json.writeObjectPropertyStart("byMethod");
        tracker.byMethod().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeObjectPropertyStart("byStatus");
        tracker.byStatus().forEach((k, n) -> json.writeNumberProperty(Integer.toString(k), n));
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeRooms(JsonGenerator json) {
        MessageCounts counts = rooms.counts();
        json.writeObjectPropertyStart("rooms");
        json.writeNumberProperty("connections", counts.connections());
        json.writeNumberProperty("opened", counts.opened());
        json.writeNumberProperty("received", counts.received());
        json.writeNumberProperty("unheard", counts.unheard());
        json.writeNumberProperty("delivered", counts.delivered());
        json.writeNumberProperty("lost", counts.lost());
        json.writeNumberProperty("repeated", counts.repeated());
        json.writeNumberProperty("dropped", counts.dropped());
        json.writeNumberProperty("undelivered", counts.undelivered());
        json.writeNumberProperty("passed", counts.passed());
        json.writeNumberProperty("heard", counts.heard());
        json.writeNumberProperty("waiting", counts.waiting());
        json.writeNumberProperty("nodes", rooms.nodes());
        json.writeEndObject();
    }

    private void writeContainer(JsonGenerator json, RecentFigures.Recent recent) {
        Optional<ContainerFigures> known = container.figures();
        write(json, "busyThreads", known.map(of -> of.busyThreads(tracker)));
        write(json, "maxThreads", known.filter(of -> !of.virtualThreads()).map(ContainerFigures::maxThreads));
        known.ifPresentOrElse(
                of -> json.writeBooleanProperty("virtualThreads", of.virtualThreads()),
                () -> json.writeNullProperty("virtualThreads"));
        write(json, "openConnections", known.map(ContainerFigures::openConnections));
        write(json, "queuedRequests", known.flatMap(ContainerFigures::queuedRequests));
        write(json, "acceptQueue", known.flatMap(of -> of.acceptQueue(recent)));
        write(json, "acceptQueueLimit", known.map(ContainerFigures::acceptCount));
    }

    private static void write(JsonGenerator json, String name, Optional<? extends Number> known) {
        known.ifPresentOrElse(
                number -> json.writeNumberProperty(name, number.longValue()), () -> json.writeNullProperty(name));
    }

    private static void writeProcess(JsonGenerator json) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            json.writeNumberProperty("processCpuNs", system.getProcessCpuTime());
        } else {
            json.writeNullProperty("processCpuNs");
        }
        json.writeNumberProperty("cores", Runtime.getRuntime().availableProcessors());
        long collections = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // -1 if a collector doesn't report it.
            collections += Math.max(collector.getCollectionCount(), 0);
            millis += Math.max(collector.getCollectionTime(), 0);
        }
        json.writeNumberProperty("gcCount", collections);
        json.writeNumberProperty("gcMs", millis);
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        json.writeNumberProperty("heapUsedBytes", heap.getUsed());
        json.writeNumberProperty("heapMaxBytes", heap.getMax());
    }
}
