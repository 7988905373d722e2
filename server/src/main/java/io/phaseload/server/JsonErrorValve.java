package io.phaseload.server;

import io.phaseload.server.endpoints.Endpoint;
import io.phaseload.service.ServiceResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;

/**
 * Reports errors as JSON, instead of as a page, that Tomcat itself finds before an endpoint sees the request: a
 * malformed request line, a path that can't be decoded, headers that are too long.
 */
final class JsonErrorValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        AtomicBoolean writable = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, writable);
        if (!writable.get()) {
            return;
        }
        try {
            Endpoint.write(response, ServiceResponse.error(status, reason(status, response.getMessage())));
            response.finishResponse();
        } catch (IOException | IllegalStateException clientGone) {
            container.getLogger().debug("An error could not be reported", clientGone);
        }
    }

    private static String reason(int status, String message) {
        if (message != null && !message.isEmpty()) {
            return message;
        }
        return switch (status) {
            case 500 -> "internal error";
            case 503 -> "the server is stopping";
            default -> "not a request this server understands";
        };
    }
}
