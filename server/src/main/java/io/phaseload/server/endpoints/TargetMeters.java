package io.phaseload.server.endpoints;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.tomcat.TomcatMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.phaseload.host.HostFigure;
import io.phaseload.host.RecentFigures;
import io.phaseload.server.endpoints.ContainerProbe.ContainerFigures;
import io.phaseload.server.rooms.MessageCounts;
import io.phaseload.server.rooms.Rooms;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The server's figures as meters: Micrometer's for the JVM and Tomcat, and the target's own counts as
 * {@code phaseload_…}. Thread-safe.
 */
public final class TargetMeters implements AutoCloseable {

    private final RequestTracker tracker;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final TomcatMetrics tomcat = new TomcatMetrics(null, Tags.empty());

    public TargetMeters(RequestTracker tracker, Rooms rooms, ContainerProbe container, RecentFigures host) {
        this.tracker = tracker;
        // Of all applications together.
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("tomcat.servlet"));
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        collections.bindTo(registry);
        tomcat.setJmxDomain(container.domain());
        tomcat.bindTo(registry);
        gauge("requests.in.flight", "Requests in flight", RequestTracker::inFlight);
        gauge("requests.in.flight.peak", "Most requests in flight at the same time", RequestTracker::peakInFlight);
        gauge("threads.busy", "Threads at work; of virtual threads, requests being worked on", requests -> container
                .figures()
                .map(figures -> (double) figures.busyThreads(requests))
                .orElse(Double.NaN));
        gauge(
                "requests.queued",
                "Requests that wait for a thread",
                any -> known(container.figures().flatMap(ContainerFigures::queuedRequests)));
        gauge(
                "accept.queue",
                "Connections that wait until they are accepted",
                any -> known(container.figures().flatMap(figures -> figures.acceptQueue(host.now()))));
        for (String figure : HostFigure.namesOfSystem()) {
            gauge("host." + HostFigure.lowerCase(figure, "."), figure + " of about the last second", any -> host.now()
                    .figures()
                    .getOrDefault(figure, Double.NaN));
        }
        counter(
                "requests.aborted",
                Tags.empty(),
                "Requests whose body couldn't be read or whose answer couldn't be sent",
                RequestTracker::abortedTotal);
        counter("events.sent", Tags.empty(), "Server-sent events of streams", RequestTracker::events);
        gauge("rooms.connections", "WebSocket connections", any -> rooms.counts()
                .connections());
        counter("messages.received", Tags.empty(), "Messages received in rooms", any -> rooms.counts()
                .received());
        delivery("delivered", rooms, MessageCounts::delivered);
        delivery("lost", rooms, MessageCounts::lost);
        delivery("dropped", rooms, MessageCounts::dropped);
        delivery("undelivered", rooms, MessageCounts::undelivered);
        delivery("passed", rooms, MessageCounts::passed);
        counter("messages.heard", Tags.empty(), "Messages that other nodes passed", any -> rooms.counts()
                .heard());
        gauge("rooms.nodes", "Servers that share the rooms", any -> rooms.nodes());
    }

    private void delivery(String end, Rooms rooms, ToLongFunction<MessageCounts> count) {
        counter(
                "deliveries",
                Tags.of("end", end),
                "Messages to a member of a room, by how that ended",
                any -> count.applyAsLong(rooms.counts()));
    }

    /**
     * All figures now.
     *
     * @param contentType of one of Prometheus's text formats
     */
    synchronized String scrape(String contentType) {
        for (String method : tracker.byMethod().keySet()) {
            counter("requests", Tags.of("method", method), "Requests received", requests -> requests.byMethod()
                    .get(method));
        }
        for (int status : tracker.byStatus().keySet()) {
            counter(
                    "responses",
                    Tags.of("status", Integer.toString(status)),
                    "Responses sent",
                    requests -> requests.byStatus().get(status));
        }
        return registry.scrape(contentType);
    }

    /** Releases the JVM's and Tomcat's beans, which outlive an application. */
    @Override
    public void close() {
        collections.close();
        tomcat.close();
        registry.close();
    }

    private static double known(Optional<Integer> number) {
        return number.map(Integer::doubleValue).orElse(Double.NaN);
    }

    private void gauge(String name, String description, ToDoubleFunction<RequestTracker> value) {
        Gauge.builder("phaseload." + name, tracker, value)
                .description(description)
                .register(registry);
    }

    /** Creates the counter, unless there is one with this name and these tags. */
    private void counter(String name, Tags tags, String description, ToDoubleFunction<RequestTracker> value) {
        if (registry.find("phaseload." + name).tags(tags).functionCounter() == null) {
            FunctionCounter.builder("phaseload." + name, tracker, value)
                    .tags(tags)
                    .description(description)
                    .register(registry);
        }
    }
}
