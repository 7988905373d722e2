package io.phaseload.server.endpoints;

import io.phaseload.server.streams.StreamOptions;
import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Answers with a stream of server-sent events, each when it is due, and counts them. */
public abstract class EventStreamEndpoint extends Endpoint {

    /** Writes the events of one response. */
    static final class Events {

        private final RequestTracker tracker;
        private final Delays delays;
        private final OutputStream out;
        private final long startNanos = System.nanoTime();

        private Events(RequestTracker tracker, Delays delays, OutputStream out) {
            this.tracker = tracker;
            this.delays = delays;
            this.out = out;
        }

        /**
         * Waits.
         *
         * @param dueMillis since the request
         * @return {@code false} if the server is stopping
         */
        boolean await(long dueMillis) {
            long due = startNanos + TimeUnit.MILLISECONDS.toNanos(dueMillis);
            return delays.sleepUntil(due);
        }

        /** Sends an event, which is counted then. */
        void send(String lines) throws IOException {
            sendUncounted(lines);
            tracker.eventSent();
        }

        void sendUncounted(String lines) throws IOException {
            out.write((lines + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    private final RequestTracker tracker;
    private final Delays delays;

    EventStreamEndpoint(RequestTracker tracker, Delays delays, List<String> allowed) {
        super(tracker, allowed);
        this.tracker = tracker;
        this.delays = delays;
    }

    /** The value of a query; if it is invalid, an error is answered, and the result is null. */
    final StreamOptions options(HttpServletRequest request, HttpServletResponse response, int count)
            throws IOException {
        try {
            return StreamOptions.of(request.getParameterMap(), count);
        } catch (IllegalArgumentException e) {
            send(response, ServiceResponse.error(400, e.getMessage()));
        } catch (IllegalStateException malformedQuery) {
            send(response, ServiceResponse.error(400, "expected a query of names and values"));
        }
        return null;
    }

    /** Begins a stream: its header is sent at once. */
    final Events begin(HttpServletResponse response, String type) throws IOException {
        announceClose(response);
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-store");
        Events events = new Events(tracker, delays, response.getOutputStream());
        response.flushBuffer();
        return events;
    }
}
