package io.phaseload.http;

import io.phaseload.http.tls.TlsCarrier;
import io.phaseload.http.tls.TlsContext;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.SocketBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Connects sockets to one target. Thread-safe; shared by all users of a run. */
public final class Connector {

    /** Receives each socket before it connects; an exception ends the attempt. */
    @FunctionalInterface
    interface Watcher {
        void watch(Socket socket) throws IOException;
    }

    private final Target target;
    private final ConnectRoute way;
    private final SSLSocketFactory tls;

    /**
     * Prepares TLS if the target uses it: certificates against the JVM's trust store, and the host name as RFC 2818
     * says, unless the target is insecure.
     */
    public Connector(Target target) {
        this.target = target;
        this.way = new ConnectRoute(target);
        this.tls = target.tls() ? TlsContext.of(target).getSocketFactory() : null;
    }

    Target target() {
        return target;
    }

    ConnectRoute way() {
        return way;
    }

    /**
     * Connects to the first address that answers, and asks a proxy there for a tunnel if there is one. Each address
     * gets an equal part of the time that is left to connect. The JVM's proxy settings are ignored.
     *
     * @param end the deadline
     * @param watcher may close a socket, which ends its attempt
     * @throws IOException the failure of the first address, if all failed
     */
    Socket connect(ConnectRoute.Addresses found, long end, Watcher watcher) throws IOException {
        List<SocketAddress> addresses = found.addresses();
        IOException failure = null;
        for (int i = 0; i < addresses.size(); i++) {
            long nanos = (end - System.nanoTime()) / (addresses.size() - i);
            int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
            Socket socket = null;
            try {
                socket = socket(addresses.get(i));
                watcher.watch(socket);
                socket.setTcpNoDelay(true);
                size(socket.getChannel(), target.buffers());
                socket.connect(addresses.get(i), millis);
                open(way.newTunnel(found), socket);
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

    private static Socket socket(SocketAddress address) throws IOException {
        // From a channel: no other socket can be read without blocking.
        return address instanceof InetSocketAddress ? SocketChannel.open().socket() : UnixStreamSocket.open();
    }

    private static void size(SocketChannel channel, SocketBuffers buffers) throws IOException {
        if (buffers.receive().isPresent()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, buffers.receive().getAsInt());
        }
        if (buffers.send().isPresent()) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, buffers.send().getAsInt());
        }
    }

    /** Byte by byte, since what follows is the target's. */
    private static void open(@Nullable Tunnel tunnel, Socket socket) throws IOException {
        if (tunnel == null) {
            return;
        }
        socket.getOutputStream().write(tunnel.begin());
        InputStream in = socket.getInputStream();
        while (!tunnel.done()) {
            int next = in.read();
            if (next < 0) {
                throw new EndOfStreamException();
            }
            byte[] answer = tunnel.read((byte) next);
            if (answer.length > 0) {
                socket.getOutputStream().write(answer);
            }
        }
    }

    /**
     * Starts TLS on a connected socket, or returns {@code null} if the target doesn't use it.
     *
     * @param input the socket's input
     */
    SSLSocket secure(Socket socket, TcpInput input) throws IOException {
        return tls == null ? null : TlsCarrier.secure(tls, target, socket, input);
    }
}
