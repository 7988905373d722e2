package io.phaseload.server.endpoints;

import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * {@code GET /status/{code}}: answers with that status. Tomcat closes the connection after some of them (400, 408, 411,
 * 413, 414, 500, 501 and 503), and says so in the answer.
 */
public final class StatusEndpoint extends Endpoint {

    private static final int FIRST = 200;
    private static final int LAST = 599;

    public StatusEndpoint(RequestTracker tracker) {
        super(tracker, GET);
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        send(response, answer((int) number(rest(request), LAST)));
    }

    private static ServiceResponse answer(int status) {
        if (status < FIRST) {
            return ServiceResponse.error(400, "expected /status/ and a number from 200 to 599");
        }
        if (status >= 400) {
            return ServiceResponse.error(status, "status " + status + ", as asked");
        }
        return switch (status) {
                // These three have no body by definition.
            case 204, 205, 304 -> ServiceResponse.empty(status);
            default -> ServiceResponse.text(status, Integer.toString(status));
        };
    }
}
