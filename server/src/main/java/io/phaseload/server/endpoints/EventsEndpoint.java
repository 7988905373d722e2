package io.phaseload.server.endpoints;

import io.phaseload.server.streams.StreamOptions;
import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.coyote.CloseNowException;

/**
 * {@code GET /events}: numbered events that say when they were sent, in the course that the query asks for, from the
 * one after {@code Last-Event-ID} on.
 */
public final class EventsEndpoint extends EventStreamEndpoint {

    private static final int COUNT = 10;

    public EventsEndpoint(RequestTracker tracker, Delays delays) {
        super(tracker, delays, GET);
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        StreamOptions options = options(request, response, COUNT);
        if (options == null) {
            return;
        }
        int lastId = (int) Math.max(0, number(request.getHeader("Last-Event-ID"), 1_000_000_000));
        int id = options.firstId(lastId);
        if (lastId > 0 && id > options.count()) {
            // Which tells clients not to ask again.
            send(response, ServiceResponse.empty(204));
            return;
        }
        Events events = begin(response, options.type());
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        if (options.retryMillis() > 0) {
            events.sendUncounted("retry: " + options.retryMillis());
        }
        for (int sent = 0; id <= options.count(); id++) {
            if (!events.await(options.dueMillis(sent))) {
                return;
            }
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            events.send("id: %d\ndata: {\"number\":%d,\"sentAt\":%d}".formatted(id, id, micros));
            sent++;
            if (options.endsAfter(sent)) {
                return;
            }
            if (options.breaksAfter(sent)) {
                throw new CloseNowException("the query asked for a connection that breaks");
            }
        }
    }
}
