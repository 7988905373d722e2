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
 * What event loops wait with, in the order in which they are taken. Not io_uring: it tells of a
 * reset as of an end in order, or not at all, and failures would be counted as what they aren't.
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

    /** Whether this host and this JVM have it. */
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
     * The one that is asked for, or the first that there is.
     *
     * @throws IllegalArgumentException if it isn't there, naming those that are
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
