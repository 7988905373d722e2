package io.phaseload.http;

import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A connection to a target with its deadlines, as one user of a phase has it. */
public final class OneUser implements AutoCloseable {

    /** So long that no slow machine runs into it. */
    public static final Duration LONG = Duration.ofSeconds(40);

    private final Target target;
    private final Deadlines deadlines;
    private final UserConnection connection;

    private OneUser(Target target) {
        this.target = target;
        this.deadlines =
                new Deadlines(
                        Math.min(
                                target.connectTimeout().toNanos(),
                                target.responseTimeout().toNanos()));
        this.connection = new UserConnection(new Connector(target), deadlines);
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

    /** Those that watch the connection. */
    public Deadlines deadlines() {
        return deadlines;
    }

    @Override
    public void close() {
        connection.close();
        deadlines.close();
    }
}
