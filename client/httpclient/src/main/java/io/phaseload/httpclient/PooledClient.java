package io.phaseload.httpclient;

import io.phaseload.http.Deadlines;
import io.phaseload.http.Sender;
import io.phaseload.http.client.Client;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.HttpClientSettings;
import java.util.Optional;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.core5.io.CloseMode;

/** Apache HttpClient as the users of a run share it. Thread-safe. */
final class PooledClient implements Client {

    private final Target target;
    private final HttpClientSettings settings;
    private final Requests requests;
    // Empty if each user has its own.
    private final Optional<CloseableHttpClient> shared;

    private PooledClient(
            Target target, HttpClientSettings settings, Optional<CloseableHttpClient> shared) {
        this.target = target;
        this.settings = settings;
        this.requests = new Requests(target);
        this.shared = shared;
    }

    /** As the settings say. */
    static PooledClient of(Target target, HttpClientSettings settings) {
        return new PooledClient(
                target,
                settings,
                settings.pool().total().isPresent()
                        ? Optional.of(build(target, settings))
                        : Optional.empty());
    }

    /** As a builder says, and the settings where it has no connection manager. */
    static PooledClient of(Target target, HttpClientSettings settings, HttpClientBuilder builder) {
        if (builder.getConnManager() == null) {
            builder.setConnectionManager(Pools.of(target, settings.pool()));
        }
        return new PooledClient(target, settings, Optional.of(metered(builder)));
    }

    private static CloseableHttpClient build(Target target, HttpClientSettings settings) {
        return metered(
                Builders.of(settings).setConnectionManager(Pools.of(target, settings.pool())));
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
        return shared.isPresent()
                ? new HttpSender(shared.get(), requests, meter, deadlines, () -> {})
                : ofItsOwn(build(target, settings), meter, deadlines);
    }

    private Sender ofItsOwn(CloseableHttpClient own, ExchangeMeter meter, Deadlines deadlines) {
        return new HttpSender(own, requests, meter, deadlines, () -> own.close(CloseMode.GRACEFUL));
    }

    @Override
    public void close() {
        shared.ifPresent(client -> client.close(CloseMode.GRACEFUL));
    }
}
