package io.phaseload.server.endpoints;

import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code GET /delay?ms=N}: answers after that time, or with 503 if the server can't wait for it. */
public final class DelayEndpoint extends Endpoint {

    static final int MAX_MILLIS = 60_000;

    private final Delays delays;

    public DelayEndpoint(RequestTracker tracker, Delays delays) {
        super(tracker, GET);
        this.delays = delays;
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long millis = number(parameter(request), MAX_MILLIS);
        if (millis < 0) {
            send(response, ServiceResponse.error(400, "ms: expected a whole number from 0 to " + MAX_MILLIS));
        } else if (delays.sleep(millis)) {
            send(response, ServiceResponse.text(200, Long.toString(millis)));
        } else {
            send(response, ServiceResponse.error(503, "the server is stopping"));
        }
    }

    private static String parameter(HttpServletRequest request) {
        try {
            return request.getParameter("ms");
        } catch (IllegalStateException malformedQuery) {
            return null;
        }
    }
}
