package io.phaseload.httpclient;

import io.phaseload.http.tls.TlsContext;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.HttpClientSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Pools of connections that report their events. */
final class Pools {

    /** Of a user's own pool, of which it uses one connection a host. */
    private static final int OWN = 25;

    private Pools() {}

    static PoolingHttpClientConnectionManager of(Target target, HttpClientSettings settings) {
        ConnectionPool pool = settings.pool();
        Optional<Proxy> socks = settings.access().proxy().filter(proxy -> proxy.kind() != Proxy.Kind.HTTP);
        PoolingHttpClientConnectionManager manager = new PoolingHttpClientConnectionManager(
                new MeteredOperator(tls(target), resolver(socks)),
                PoolConcurrencyPolicy.valueOf(pool.concurrency().name()),
                PoolReusePolicy.valueOf(pool.policy().name()),
                TimeValue.NEG_ONE_MILLISECOND,
                MeteredConnection::create);
        int total = pool.total().orElse(OWN);
        manager.setMaxTotal(total);
        manager.setDefaultMaxPerRoute(pool.perRoute().orElse(total));
        ConnectionConfig.Builder config = ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(target.connectTimeout()))
                .setValidateAfterInactivity(TimeValue.of(pool.validateAfter()));
        pool.timeToLive().ifPresent(time -> config.setTimeToLive(TimeValue.of(time)));
        manager.setDefaultConnectionConfig(config.build());
        SocketConfig.Builder sockets = SocketConfig.custom();
        target.buffers().receive().ifPresent(sockets::setRcvBufSize);
        target.buffers().send().ifPresent(sockets::setSndBufSize);
        socks.ifPresent(
                proxy -> sockets.setSocksProxyAddress(InetSocketAddress.createUnresolved(proxy.host(), proxy.port())));
        manager.setDefaultSocketConfig(sockets.build());
        return manager;
    }

    private static DnsResolver resolver(Optional<Proxy> socks) {
        return socks.filter(proxy -> proxy.kind() == Proxy.Kind.SOCKS5H).isPresent()
                ? new NamesOnly()
                : SystemDefaultDnsResolver.INSTANCE;
    }

    /** Leaves it to a proxy to look up names. */
    private static final class NamesOnly implements DnsResolver {

        @Override
        public InetAddress[] resolve(String host) {
            return null;
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /** As our own client: the JVM's rules for certificates and host names, unless it is insecure. */
    private static TlsSocketStrategy tls(Target target) {
        return target.insecure()
                ? new DefaultClientTlsStrategy(
                        TlsContext.of(target), HostnameVerificationPolicy.CLIENT, NoopHostnameVerifier.INSTANCE)
                : new DefaultClientTlsStrategy(TlsContext.of(target), HostnameVerificationPolicy.BUILTIN, null);
    }
}
