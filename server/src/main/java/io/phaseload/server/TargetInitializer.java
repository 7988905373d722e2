package io.phaseload.server;

import io.phaseload.host.RecentFigures;
import io.phaseload.server.endpoints.BytesEndpoint;
import io.phaseload.server.endpoints.ChatEndpoint;
import io.phaseload.server.endpoints.ContainerProbe;
import io.phaseload.server.endpoints.CountingFilter;
import io.phaseload.server.endpoints.DelayEndpoint;
import io.phaseload.server.endpoints.Delays;
import io.phaseload.server.endpoints.Endpoint;
import io.phaseload.server.endpoints.EventsEndpoint;
import io.phaseload.server.endpoints.MetricsEndpoint;
import io.phaseload.server.endpoints.PrometheusEndpoint;
import io.phaseload.server.endpoints.RequestTracker;
import io.phaseload.server.endpoints.ServiceEndpoint;
import io.phaseload.server.endpoints.StatusEndpoint;
import io.phaseload.server.endpoints.TargetMeters;
import io.phaseload.server.rooms.Relay;
import io.phaseload.server.rooms.Rooms;
import io.phaseload.service.ServiceLimits;
import io.phaseload.service.TargetService;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Registers the target's servlets: the only place that maps paths to servlets.
 *
 * <p>The embedded Tomcat gets an instance. A container finds this class through the service file of the WAR; the jar
 * has no such file, so that it can be on an application's class path without taking over its paths.
 */
public final class TargetInitializer implements ServletContainerInitializer {

    private final ServerSettings settings;
    private final RequestTracker tracker;
    private final Delays delays;
    private final Rooms rooms;
    private final ContainerProbe container;

    /** Creates one with default settings, for a container with its own threads and ports. */
    public TargetInitializer() {
        this(ServerSettings.defaults(), new Delays());
    }

    private TargetInitializer(ServerSettings settings, Delays delays) {
        this(
                settings,
                new RequestTracker(),
                delays,
                new Rooms(settings.maxBodyBytes(), delays::sleep, Relay.NONE),
                new ContainerProbe("*", Optional::empty));
    }

    TargetInitializer(
            ServerSettings settings, RequestTracker tracker, Delays delays, Rooms rooms, ContainerProbe container) {
        this.settings = settings;
        this.tracker = tracker;
        this.delays = delays;
        this.rooms = rooms;
        this.container = container;
    }

    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        int maxBody = settings.maxBodyBytes();
        int maxItem = Math.min(maxBody, settings.maxItemBytes());
        TargetService service = new TargetService(new ServiceLimits(maxBody, settings.maxItems(), maxItem));
        count(
                context,
                tracker,
                add(context, new ServiceEndpoint(tracker, service), "", "/"),
                add(context, new DelayEndpoint(tracker, delays), "/delay"),
                add(context, new StatusEndpoint(tracker), "/status/*"),
                add(context, new BytesEndpoint(tracker), "/bytes/*"),
                add(context, new EventsEndpoint(tracker, delays), "/events"),
                add(context, new ChatEndpoint(tracker, delays, maxBody), "/v1/chat/completions"));
        RecentFigures host = RecentFigures.ofThisProcess();
        add(context, new MetricsEndpoint(tracker, rooms, container, host), "/metrics.json");
        TargetMeters meters = new TargetMeters(tracker, rooms, container, host);
        add(context, new PrometheusEndpoint(tracker, meters), "/metrics");
        rooms.open(context);
        context.addListener(new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                rooms.close();
                meters.close();
                host.close();
            }
        });
    }

    /** Registers an endpoint and returns its name. */
    static String add(ServletContext context, Endpoint endpoint, String... paths) {
        String name = endpoint.getClass().getSimpleName();
        ServletRegistration registration = context.addServlet(name, endpoint);
        registration.addMapping(paths);
        return name;
    }

    /** Counts the requests for these endpoints. */
    static void count(ServletContext context, RequestTracker tracker, String... names) {
        // By servlet, not by path: the metrics aren't counted, and no paths have to be compared.
        context.addFilter("CountingFilter", new CountingFilter(tracker))
                .addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST), false, names);
    }
}
