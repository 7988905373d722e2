package io.phaseload.server;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Every path that no other endpoint has. */
final class NotFoundEndpoint extends Endpoint {

    NotFoundEndpoint(RequestTracker tracker) {
        super(tracker, "");
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        send(response, Answer.notFound(request.getRequestURI()));
    }
}
