package io.phaseload.httpclient;

import io.phaseload.host.PoolUse;
import io.phaseload.http.Deadlines;
import io.phaseload.http.Sender;
import io.phaseload.http.client.Client;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.HttpClientSettings;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.ConnPoolStats;
import org.apache.hc.core5.pool.PoolStats;

/** Apache HttpClient as the users of a run share it. Thread-safe. */
final class PooledClient implements Client {

    private final Target target;
    private final HttpClientSettings settings;
    private final Requests requests;
    private final Optional<Shared> shared;

    /**
     * What users share, unless each has a client of its own.
     *
     * @param contexts for each user: of one user's requests
     */
    private record Shared(
            CloseableHttpClient client,
            HttpClientConnectionManager pool,
            Supplier<Supplier<HttpClientContext>> contexts) {}

    private PooledClient(Target target, HttpClientSettings settings, Optional<Shared> shared) {
        this.target = target;
        this.settings = settings;
        this.requests = new Requests(target);
        this.shared = shared;
    }

    /** As the settings say. */
    static PooledClient of(Target target, HttpClientSettings settings) {
        Optional<Shared> shared = Optional.empty();
        if (settings.pool().total().isPresent()) {
            HttpClientConnectionManager pool = Pools.of(target, settings);
            shared = Optional.of(new Shared(build(target, settings, pool), pool, UserMemory::new));
        }
        return new PooledClient(target, settings, shared);
    }

    /**
     * As a builder says, and the settings where it has no connection manager. What users remember
     * is the builder's.
     */
    static PooledClient of(Target target, HttpClientSettings settings, HttpClientBuilder builder) {
        if (builder.getConnManager() == null) {
            builder.setConnectionManager(Pools.of(target, settings));
        }
        HttpClientConnectionManager pool = builder.getConnManager();
        Shared shared = new Shared(metered(builder), pool, () -> HttpClientContext::create);
        return new PooledClient(target, settings, Optional.of(shared));
    }

    private static CloseableHttpClient build(
            Target target, HttpClientSettings settings, HttpClientConnectionManager pool) {
        return metered(Builders.of(target, settings).setConnectionManager(pool));
    }

    /** Where each attempt passes, one that is a retry, too. */
    private static CloseableHttpClient metered(HttpClientBuilder builder) {
        return builder.addExecInterceptorBefore(
                        ChainElement.CONNECT.name(), "phaseload", MeteredRuntime::execute)
                .build();
    }

    @Override
    public Sender newSender(Deadlines deadlines, Sender.Turn turn) {
        ExchangeMeter meter = new ExchangeMeter(target, settings.leaseTimeout(), turn);
        if (shared.isPresent()) {
            CloseableHttpClient client = shared.get().client();
            Supplier<HttpClientContext> contexts = shared.get().contexts().get();
            return new HttpSender(client, requests, contexts, meter, deadlines, () -> {});
        }
        CloseableHttpClient own = build(target, settings, Pools.of(target, settings));
        return new HttpSender(
                own,
                requests,
                new UserMemory(),
                meter,
                deadlines,
                () -> own.close(CloseMode.GRACEFUL));
    }

    @Override
    public Optional<PoolUse> pool() {
        return shared.map(Shared::pool)
                .filter(ConnPoolStats.class::isInstance)
                .map(pool -> use(((ConnPoolStats<?>) pool).getTotalStats()));
    }

    private static PoolUse use(PoolStats stats) {
        return new PoolUse(stats.getLeased(), stats.getAvailable(), stats.getPending());
    }

    @Override
    public void close() {
        shared.ifPresent(any -> any.client().close(CloseMode.GRACEFUL));
    }
}
