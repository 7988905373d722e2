package io.phaseload.http;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A connection to a target, as one user of a phase has it in the engine under test. */
public final class OneUser implements AutoCloseable {

    /** So long that no slow machine runs into it. */
    public static final Duration LONG = Duration.ofSeconds(40);

    private final Target target;
    private final TestConnection connection;

    private OneUser(Target target) {
        this.target = target;
        this.connection = TestConnection.to(target);
    }

    /** With timeouts that don't matter. */
    public static OneUser of(URI uri) {
        return of(uri, LONG, LONG);
    }

    /** With timeouts that do. */
    public static OneUser of(URI uri, Duration connectTimeout, Duration responseTimeout) {
        return of(new Target(uri, List.of(), connectTimeout, responseTimeout, false));
    }

    /** With everything a target can say. */
    public static OneUser of(Target target) {
        return new OneUser(target);
    }

    /** Sends {@code GET} of the target's root. */
    public Exchange get() {
        return send(Operation.get("/"));
    }

    /** Sends an operation. */
    public Exchange send(Operation operation) {
        return connection.exchange(new PreparedRequest(target, operation));
    }

    /** Ends whatever is in flight some time from now, and what begins after that. */
    public void abandonAfter(long nanos) {
        connection.abandonAfter(nanos);
    }

    @Override
    public void close() {
        connection.close();
    }
}
