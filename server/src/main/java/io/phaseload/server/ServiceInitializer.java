package io.phaseload.server;

import io.phaseload.server.endpoints.RequestTracker;
import io.phaseload.server.endpoints.ServiceEndpoint;
import io.phaseload.service.Service;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.Set;

/** Registers one service for all paths. */
record ServiceInitializer(RequestTracker tracker, Service service) implements ServletContainerInitializer {

    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        ServiceEndpoint endpoint = new ServiceEndpoint(tracker, service);
        TargetInitializer.count(context, tracker, TargetInitializer.add(context, endpoint, "", "/"));
    }
}
