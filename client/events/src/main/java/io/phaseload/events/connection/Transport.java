package io.phaseload.events.connection;

import io.netty.channel.ChannelException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.phaseload.host.TcpConnection;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The transports of event loops, in order of preference. io_uring isn't one of them: it reports a
 * reset as a normal end, or not at all, so failures would be counted under the wrong cause.
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
        SocketChannel newChannel() {
            return new EpollSocketChannel();
        }

        @Override
        Optional<TcpConnection> tell(SocketChannel channel) {
            if (!channel.isActive()) {
                return Optional.empty();
            }
            try {
                EpollTcpInfo info = ((EpollSocketChannel) channel).tcpInfo();
                return Optional.of(
                        new TcpConnection(info.rtt(), info.totalRetrans(), info.sndCwnd()));
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
        SocketChannel newChannel() {
            return new NioSocketChannel();
        }

        @Override
        Optional<TcpConnection> tell(SocketChannel channel) {
            return Optional.empty();
        }
    };

    /** Whether this host and this JVM support it. */
    public abstract boolean available();

    public abstract IoHandlerFactory handlers();

    abstract SocketChannel newChannel();

    /** How a channel of its own is; empty if it isn't connected, or the JVM doesn't tell. */
    abstract Optional<TcpConnection> tell(SocketChannel channel);

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
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "transport %s: expected %s on this host"
                                                .formatted(wanted.orElse(""), availableKeys())));
    }

    private static String availableKeys() {
        return Arrays.stream(values())
                .filter(Transport::available)
                .map(Transport::key)
                .collect(Collectors.joining(" or "));
    }
}
