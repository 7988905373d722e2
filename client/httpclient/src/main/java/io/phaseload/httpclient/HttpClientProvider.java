package io.phaseload.httpclient;

import io.phaseload.http.client.Client;
import io.phaseload.http.client.ClientProvider;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.engine.HttpClientSettings;
import java.util.Optional;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;

/**
 * Makes clients on Apache HttpClient: for plans that name it, or of a builder of the caller's.
 *
 * <pre>{@code
 * HttpClientBuilder builder = HttpClients.custom().setRetryStrategy(…);
 * ThreadsLoadClient.of(plan, HttpClientProvider.of(builder)).run();
 * }</pre>
 */
public final class HttpClientProvider implements ClientProvider {

    private final Optional<HttpClientBuilder> builder;
    private boolean used;

    /** Makes a provider for plans that name the client. */
    public HttpClientProvider() {
        this(Optional.empty());
    }

    private HttpClientProvider(Optional<HttpClientBuilder> builder) {
        this.builder = builder;
    }

    /**
     * Makes a provider of the client that a builder builds: what it is set to holds, and what a plan says of the
     * client's doesn't, but for the plan's time limits. Users share the client, its cookies and its connections.
     *
     * <p>Without a connection manager, the builder gets one as the plan says, by default of 5 connections. With one of
     * its own, the parts of making a connection aren't told apart, a response's first byte is the end of its header,
     * bytes are those of bodies, a response that breaks off in its header or in chunks is what HttpClient takes it for,
     * even complete, and nobody knows whether a connection was reopened.
     *
     * @param builder gets an interceptor that measures; not to be changed from now on
     * @return a provider for one run
     */
    public static HttpClientProvider of(HttpClientBuilder builder) {
        return new HttpClientProvider(Optional.of(builder));
    }

    @Override
    public String name() {
        return HttpClientSettings.NAME;
    }

    @Override
    public void check(Plan plan) {
        if (plan.target().route() != Route.DIRECT) {
            throw new IllegalArgumentException("route cannot be combined with client " + name());
        }
        // It has its own, for the whole of a run.
        if (plan.scenario().journeys().filter(Journeys::haveSessions).isPresent()) {
            throw new IllegalArgumentException("session cannot be combined with client " + name());
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if a builder has made the client of another run
     */
    @Override
    public synchronized Client create(Plan plan) {
        HttpClientSettings settings = plan.engine().client().orElse(HttpClientSettings.DEFAULT);
        if (builder.isEmpty()) {
            return PooledClient.of(plan.target(), settings);
        }
        if (used) {
            throw new IllegalStateException("a builder makes the client of one run");
        }
        used = true;
        return PooledClient.of(plan.target(), settings, builder.get());
    }

    /** The client in a result. */
    @Override
    public String toString() {
        return builder.isEmpty() ? name() : name() + " with a builder of its own";
    }
}
