package io.phaseload.http;

import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.connection.Route;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses to connect to, and the proxy handshake. Thread-safe. */
public final class ConnectRoute {

    private final Target target;
    private final List<String> hosts;
    private final int port;
    private final @Nullable Proxy tunneller;

    /**
     * The way to a target.
     *
     * @param several has the route; of nodes, the way leads to the first one
     */
    public ConnectRoute(Target several) {
        this.target = several.nodes().get(0);
        if (target.route() instanceof Route.To to) {
            hosts = to.hosts();
            port = to.port();
            tunneller = null;
        } else if (target.route() instanceof Route.By by) {
            hosts = List.of(by.proxy().host().replaceAll("[\\[\\]]", ""));
            port = by.proxy().port();
            tunneller = target.forwarder().isPresent() ? null : by.proxy();
        } else {
            hosts = List.of(target.host());
            port = target.port();
            tunneller = null;
        }
    }

    /**
     * Where it leads now.
     *
     * @param addresses to try in order; at least one
     * @param service the target's own address, for a proxy that needs it; {@code null} otherwise
     */
    public record Addresses(List<SocketAddress> addresses, @Nullable InetAddress service) {}

    /**
     * Looks up what names there are; the JVM caches answers for its {@code networkaddress.cache.ttl}, 30 s by default.
     *
     * @return addresses
     * @throws UnknownHostException if a name has none
     */
    public Addresses lookUp() throws UnknownHostException {
        if (target.route() instanceof Route.UnixSocket socket) {
            return new Addresses(List.of(UnixDomainSocketAddress.of(socket.file())), null);
        }
        List<SocketAddress> addresses = new ArrayList<>();
        for (String host : hosts) {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                addresses.add(new InetSocketAddress(address, port));
            }
        }
        boolean told = tunneller != null && tunneller.kind() == Proxy.Kind.SOCKS5;
        return new Addresses(addresses, told ? InetAddress.getByName(target.host()) : null);
    }

    /**
     * The handshake with a proxy, for one connection.
     *
     * @param found of {@link #lookUp()}
     * @return {@code null} if nothing is
     */
    public @Nullable Tunnel newTunnel(Addresses found) {
        if (tunneller == null) {
            return null;
        }
        return tunneller.kind() == Proxy.Kind.HTTP
                ? Tunnel.http(target, tunneller.credentials())
                : Tunnel.socks(target.host(), found.service(), target.port());
    }

    /**
     * Whether a server's answer to a request that it didn't expect any more proves that nobody has read it: only TCP's
     * does.
     *
     * @return {@code false} for a Unix domain socket
     */
    public boolean provesUnread() {
        return !(target.route() instanceof Route.UnixSocket);
    }
}
