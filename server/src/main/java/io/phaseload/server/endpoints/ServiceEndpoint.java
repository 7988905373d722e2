package io.phaseload.server.endpoints;

import io.phaseload.service.Service;
import io.phaseload.service.ServiceRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Handles all other paths: passes the request to a service. */
public final class ServiceEndpoint extends Endpoint {

    private final Service service;

    public ServiceEndpoint(RequestTracker tracker, Service service) {
        // The service decides which methods there are.
        super(tracker, List.of());
        this.service = service;
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        send(response, service.answer(new ServletRequest(request)));
    }

    private record ServletRequest(HttpServletRequest servlet) implements ServiceRequest {

        @Override
        public String method() {
            return servlet.getMethod();
        }

        @Override
        public String path() {
            return servlet.getRequestURI();
        }

        @Override
        public String base() {
            return servlet.getContextPath();
        }

        @Override
        public String query() {
            String query = servlet.getQueryString();
            return query == null ? "" : query;
        }

        @Override
        public Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>();
            for (String name : Collections.list(servlet.getHeaderNames())) {
                headers.put(
                        name.toLowerCase(Locale.ROOT), String.join(",", Collections.list(servlet.getHeaders(name))));
            }
            return headers;
        }

        @Override
        public byte[] body(int limit) throws IOException {
            return Endpoint.body(servlet, limit);
        }
    }
}
