package io.phaseload.httpclient;

import io.phaseload.http.Deadlines;
import io.phaseload.http.UserSender;
import io.phaseload.http.client.Client;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.HttpClientSettings;
import java.net.URI;

/** Users of one client, each of whom sends one request. */
final class Users implements AutoCloseable {

    private final Target target;
    private final Client client;
    private final Deadlines deadlines;

    private Users(Target target, HttpClientSettings settings) {
        this.target = target;
        this.client = PooledClient.of(target, settings);
        this.deadlines = new Deadlines(target.connectTimeout().toNanos());
    }

    static Users of(URI uri, HttpClientSettings settings) {
        return of(Target.of(uri), settings);
    }

    static Users of(Target target, HttpClientSettings settings) {
        return new Users(target, settings);
    }

    /** A user, to be closed. */
    UserSender user() {
        return client.newSender(deadlines, UserSender.Turn.AT_ONCE);
    }

    Exchange get() {
        return send(Operation.get("/"));
    }

    Exchange send(Operation operation) {
        try (UserSender user = user()) {
            return (Exchange) user.exchange(request(operation));
        }
    }

    PreparedRequest request(Operation operation) {
        return new PreparedRequest(target, operation);
    }

    @Override
    public void close() {
        client.close();
        deadlines.close();
    }
}
