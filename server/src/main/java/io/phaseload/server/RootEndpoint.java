package io.phaseload.server;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code GET /}: alive. {@code POST /}: the length of the text sent. */
final class RootEndpoint extends Endpoint {

    private final TargetService service;
    private final int maxBodyBytes;

    RootEndpoint(RequestTracker tracker, TargetService service, int maxBodyBytes) {
        super(tracker, "GET, HEAD, POST");
        this.service = service;
        this.maxBodyBytes = maxBodyBytes;
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (isGet(request)) {
            send(response, service.alive());
        } else if (request.getMethod().equals("POST")) {
            byte[] body = body(request, maxBodyBytes);
            send(response, body == null ? Answer.tooLarge(maxBodyBytes) : service.length(body));
        } else {
            refuseMethod(request, response);
        }
    }
}
