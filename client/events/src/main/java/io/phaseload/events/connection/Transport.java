package io.phaseload.events.connection;

import io.netty.channel.ChannelException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.nio.AbstractNioChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.phaseload.host.TcpConnection;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The transports of event loops, in order of preference. io_uring isn't one of them: it reports a reset as a normal
 * end, or not at all, so failures would be counted under the wrong cause.
 */
public enum Transport {
    EPOLL {
        @Override
        public boolean available() {
            return Epoll.isAvailable();
        }

        @Override
        public IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        DuplexChannel newChannel(boolean unix) {
            return unix ? new EpollDomainSocketChannel() : new EpollSocketChannel();
        }

        @Override
        SocketAddress nettys(SocketAddress address) {
            return address instanceof UnixDomainSocketAddress unix
                    ? new DomainSocketAddress(unix.getPath().toString())
                    : address;
        }

        @Override
        void readNow(DuplexChannel channel) {
            // TCP_INFO proves what an end that comes with a request means.
        }

        @Override
        Optional<TcpConnection> inspect(DuplexChannel channel) {
            if (!channel.isActive() || !(channel instanceof EpollSocketChannel tcp)) {
                return Optional.empty();
            }
            try {
                EpollTcpInfo info = tcp.tcpInfo();
                return Optional.of(new TcpConnection(info.rtt(), info.totalRetrans(), info.sndCwnd()));
            } catch (ChannelException e) {
                // It has just ended.
                return Optional.empty();
            }
        }
    },
    NIO {
        @Override
        public boolean available() {
            return true;
        }

        @Override
        public IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        DuplexChannel newChannel(boolean unix) {
            return unix ? new NioDomainSocketChannel() : new NioSocketChannel();
        }

        @Override
        SocketAddress nettys(SocketAddress address) {
            return address;
        }

        @Override
        void readNow(DuplexChannel channel) {
            ((AbstractNioChannel.NioUnsafe) channel.unsafe()).read();
        }

        @Override
        Optional<TcpConnection> inspect(DuplexChannel channel) {
            return Optional.empty();
        }
    };

    /** Whether this host and this JVM support it. */
    public abstract boolean available();

    public abstract IoHandlerFactory handlers();

    /** Of a Unix domain socket, or of TCP. */
    abstract DuplexChannel newChannel(boolean unix);

    /** An address in the transport's own form. */
    abstract SocketAddress nettys(SocketAddress address);

    /** Reads what has arrived, such as an end, where nothing can be found out about that later. */
    abstract void readNow(DuplexChannel channel);

    /** How a channel of its own is; empty if it isn't connected, or the JVM doesn't report it. */
    abstract Optional<TcpConnection> inspect(DuplexChannel channel);

    /** Its name in plans and results. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Selects the requested transport, or the first available one.
     *
     * @throws IllegalArgumentException if it isn't available, naming those that are
     */
    public static Transport of(Optional<String> wanted) {
        return Arrays.stream(values())
                .filter(Transport::available)
                .filter(transport -> wanted.isEmpty() || transport.key().equals(wanted.get()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "transport %s: expected %s on this host".formatted(wanted.orElse(""), availableKeys())));
    }

    private static String availableKeys() {
        return Arrays.stream(values())
                .filter(Transport::available)
                .map(Transport::key)
                .collect(Collectors.joining(" or "));
    }
}
