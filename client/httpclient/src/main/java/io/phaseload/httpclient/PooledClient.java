package io.phaseload.httpclient;

import io.phaseload.host.PoolUse;
import io.phaseload.http.Deadlines;
import io.phaseload.http.UserSender;
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
    private final CloseableHttpClient client;
    private final Optional<HttpClientConnectionManager> shared;
    private final Supplier<Supplier<HttpClientContext>> contexts;

    /**
     * Creates a client.
     *
     * @param shared the pool of all users; empty if each has its own
     * @param contexts for each user: of one user's requests
     */
    private PooledClient(
            Target target,
            HttpClientSettings settings,
            CloseableHttpClient client,
            Optional<HttpClientConnectionManager> shared,
            Supplier<Supplier<HttpClientContext>> contexts) {
        this.target = target;
        this.settings = settings;
        this.requests = new Requests(target);
        this.client = client;
        this.shared = shared;
        this.contexts = contexts;
    }

    /** As the settings say. */
    static PooledClient of(Target target, HttpClientSettings settings) {
        Optional<HttpClientConnectionManager> shared =
                settings.pool().total().isPresent() ? Optional.of(Pools.of(target, settings)) : Optional.empty();
        CloseableHttpClient client =
                metered(Builders.of(target, settings).setConnectionManager(shared.orElseGet(UserPools::new)));
        return new PooledClient(target, settings, client, shared, UserMemory::new);
    }

    /**
     * As a builder says, and the settings where it has no connection manager. The builder has the users' cookies and
     * credentials.
     */
    static PooledClient of(Target target, HttpClientSettings settings, HttpClientBuilder builder) {
        if (builder.getConnManager() == null) {
            builder.setConnectionManager(Pools.of(target, settings));
        }
        HttpClientConnectionManager pool = builder.getConnManager();
        return new PooledClient(target, settings, metered(builder), Optional.of(pool), () -> HttpClientContext::create);
    }

    /** Where each attempt passes, one that is a retry, too. */
    private static CloseableHttpClient metered(HttpClientBuilder builder) {
        return builder.addExecInterceptorBefore(ChainElement.CONNECT.name(), "phaseload", MeteredRuntime::execute)
                .build();
    }

    @Override
    public UserSender newSender(Deadlines deadlines, UserSender.Turn turn) {
        HttpClientConnectionManager pool = shared.orElseGet(() -> Pools.of(target, settings));
        return new HttpSender(
                client,
                requests,
                contexts.get(),
                new ExchangeMeter(target, settings.leaseTimeout(), turn, pool),
                deadlines,
                shared.isPresent() ? () -> {} : () -> pool.close(CloseMode.GRACEFUL));
    }

    @Override
    public Optional<PoolUse> pool() {
        return shared.filter(ConnPoolStats.class::isInstance)
                .map(pool -> use(((ConnPoolStats<?>) pool).getTotalStats()));
    }

    private static PoolUse use(PoolStats stats) {
        return new PoolUse(stats.getLeased(), stats.getAvailable(), stats.getPending());
    }

    @Override
    public void close() {
        client.close(CloseMode.GRACEFUL);
    }
}
