package io.phaseload.events;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What event loops wait with, in the order in which they are taken. */
enum Transport {
    EPOLL {
        @Override
        boolean available() {
            return Epoll.isAvailable();
        }

        @Override
        IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        SocketChannel newChannel() {
            return new EpollSocketChannel();
        }
    },
    NIO {
        @Override
        boolean available() {
            return true;
        }

        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        SocketChannel newChannel() {
            return new NioSocketChannel();
        }
    },

    /**
     * For those who ask for it: with Netty 4.2.18 on Linux 6.18, a reset in the middle of a
     * response isn't always heard of, and then shows as a timeout.
     */
    IO_URING {
        @Override
        boolean available() {
            return IoUring.isAvailable();
        }

        @Override
        IoHandlerFactory handlers() {
            return IoUringIoHandler.newFactory();
        }

        @Override
        SocketChannel newChannel() {
            return new IoUringSocketChannel();
        }
    };

    /** Whether this host and this JVM have it. */
    abstract boolean available();

    abstract IoHandlerFactory handlers();

    abstract SocketChannel newChannel();

    /** Its name in plans and results. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The one that is asked for, or the first that there is.
     *
     * @throws IllegalArgumentException if it isn't there, naming those that are
     */
    static Transport of(Optional<String> wanted) {
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
