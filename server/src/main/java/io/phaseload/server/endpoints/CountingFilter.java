package io.phaseload.server.endpoints;

import io.phaseload.service.ServiceResponse;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Wraps every endpoint except for the metrics: counts requests, and turns exceptions into error responses. */
public final class CountingFilter implements Filter {

    private final RequestTracker tracker;

    public CountingFilter(RequestTracker tracker) {
        this.tracker = tracker;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest httpRequest = (HttpServletRequest) request;
        HttpServletResponse httpResponse = (HttpServletResponse) response;
        tracker.arrived(httpRequest.getMethod());
        boolean answered = false;
        try {
            try {
                chain.doFilter(request, response);
            } catch (ServletException | RuntimeException e) {
                request.getServletContext().log(httpRequest.getRequestURI(), e);
                if (httpResponse.isCommitted()) {
                    throw e;
                }
                httpResponse.reset();
                Endpoint.write(httpResponse, ServiceResponse.error(500, "internal error"));
            }
            // A request is in flight until its response has been sent, and a stop waits for that. A
            // body has been sent
            // once all of it is written; a response without a body hasn't yet.
            httpResponse.flushBuffer();
            answered = true;
        } finally {
            if (answered) {
                tracker.answered(httpResponse.getStatus());
            } else {
                tracker.aborted();
            }
        }
    }
}
