package io.phaseload.http;

import io.phaseload.http.tls.TlsCarrier;
import io.phaseload.http.tls.TlsContext;
import io.phaseload.plan.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Connects sockets to one target. Thread-safe; shared by all users of a run. */
public final class Connector {

    /** Receives each socket before it connects; an exception ends the attempt. */
    @FunctionalInterface
    interface Watcher {
        void watch(Socket socket) throws IOException;
    }

    private final Target target;
    private final SSLSocketFactory tls;

    /**
     * Prepares TLS if the target uses it: certificates against the JVM's trust store, and the host
     * name as RFC 2818 says, unless the target is insecure.
     *
     * @param target where to connect
     */
    public Connector(Target target) {
        this.target = target;
        this.tls = target.tls() ? TlsContext.of(target).getSocketFactory() : null;
    }

    Target target() {
        return target;
    }

    /**
     * Looks up the host's name; the JVM caches answers for its {@code networkaddress.cache.ttl}, 30
     * s by default.
     */
    InetAddress[] lookUp() throws UnknownHostException {
        return InetAddress.getAllByName(target.host());
    }

    /**
     * Connects to the first address that answers. Each address gets an equal part of the time that
     * is left. The JVM's proxy settings are ignored.
     *
     * @param addresses at least one
     * @param end the deadline
     * @param watcher may close a socket, which ends its attempt
     * @throws IOException the failure of the first address, if all failed
     */
    Socket connect(InetAddress[] addresses, long end, Watcher watcher) throws IOException {
        IOException failure = null;
        for (int i = 0; i < addresses.length; i++) {
            long nanos = (end - System.nanoTime()) / (addresses.length - i);
            int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
            Socket socket = null;
            try {
                // From a channel: no other socket can be read without blocking.
                socket = SocketChannel.open().socket();
                watcher.watch(socket);
                socket.setTcpNoDelay(true);
                socket.connect(new InetSocketAddress(addresses[i], target.port()), millis);
                return socket;
            } catch (IOException e) {
                if (socket != null) {
                    socket.close();
                }
                if (failure == null) {
                    failure = e;
                }
            }
        }
        throw failure;
    }

    /**
     * Starts TLS on a connected socket, or returns {@code null} if the target doesn't use it.
     *
     * @param input the socket's input
     */
    SSLSocket secure(Socket socket, TcpInput input) throws IOException {
        if (tls == null) {
            return null;
        }
        SSLSocket secured =
                (SSLSocket)
                        tls.createSocket(
                                new TlsCarrier(socket, input), target.host(), target.port(), true);
        if (!target.insecure()) {
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
        }
        secured.startHandshake();
        return secured;
    }
}
