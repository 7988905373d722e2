package io.phaseload.server;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code /items/{key}}: stores, finds and removes. A key is one path segment, decoded. */
final class ItemsEndpoint extends Endpoint {

    private final TargetService service;
    private final int maxBytes;

    ItemsEndpoint(RequestTracker tracker, TargetService service, int maxBytes) {
        super(tracker, "GET, HEAD, PUT, DELETE");
        this.service = service;
        this.maxBytes = maxBytes;
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String key = rest(request);
        if (key.isEmpty() || key.indexOf('/') >= 0) {
            send(response, Answer.notFound(request.getRequestURI()));
            return;
        }
        switch (request.getMethod()) {
            case "GET", "HEAD" -> send(response, service.getItem(key));
            case "PUT" -> send(response, put(key, request));
            case "DELETE" -> send(response, service.deleteItem(key));
            default -> refuseMethod(request, response);
        }
    }

    private Answer put(String key, HttpServletRequest request) throws IOException {
        byte[] body = body(request, maxBytes);
        return body == null
                ? Answer.tooLarge(maxBytes)
                : service.putItem(key, request.getContentType(), body);
    }
}
