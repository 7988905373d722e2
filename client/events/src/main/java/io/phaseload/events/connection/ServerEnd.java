package io.phaseload.events.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.phaseload.events.tls.Tls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** How a server closes its side of one channel. Owned by one event loop. */
public final class ServerEnd {

    private final boolean tls;
    private final DuplexChannel channel;
    private boolean closeNotify;

    public ServerEnd(LoopContext loop, DuplexChannel channel) {
        this.tls = loop.tls() != null;
        this.channel = channel;
    }

    /** Whether a channel event means that the server closed its side. */
    public boolean isToldBy(Object event) {
        if (event == SslCloseCompletionEvent.SUCCESS) {
            closeNotify = true;
            return true;
        }
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            closeNotify |= tls && Tls.engine(channel).isInboundDone();
            return true;
        }
        return false;
    }

    /** Whether the server certainly closed it: over TLS, that takes close_notify. */
    public boolean isTrusted() {
        return !tls || closeNotify;
    }

    /**
     * The part of what was sent over a TCP connection that the server's system has acknowledged, from Linux's
     * {@code TCP_INFO}. It stays readable after a reset, until the channel is closed.
     *
     * <p>Bytes that aren't acknowledged when the server's FIN or close_notify is there reached the server after it had
     * closed, if at all: both carry an acknowledgement of everything before. A reset without an end proves nothing:
     * Linux delays acknowledgements, and ignores that of a reset.
     *
     * @param acknowledged the bytes that were acknowledged since the connection was made
     * @param pending the bytes after these that the system has taken, with those not sent yet
     */
    public record TcpProgress(long acknowledged, long pending) {

        /** The progress of a connection whose system doesn't report it. */
        private static final TcpProgress UNKNOWN = new TcpProgress(-1, -1);

        private static final int IPPROTO_TCP = 6;
        private static final int TCP_INFO = 11;

        // Offsets in Linux's struct tcp_info, which only grows at its end.
        private static final int BYTES_ACKED = 120;
        private static final int NOTSENT_BYTES = 144;
        private static final int BYTES_SENT = 200;
        private static final int BYTES_RETRANS = 208;
        private static final int LENGTH = 216;

        private static final RawUnixChannelOption OPTION =
                new RawUnixChannelOption("PHASELOAD_TCP_INFO", IPPROTO_TCP, TCP_INFO, LENGTH);

        /** Reads the progress of a channel. */
        public static TcpProgress of(Channel channel) {
            if (!(channel instanceof EpollSocketChannel) || !channel.isOpen()) {
                return UNKNOWN;
            }
            try {
                ByteBuffer info = channel.config().getOption(OPTION);
                return read(info.order(ByteOrder.nativeOrder()));
            } catch (ChannelException | UnsupportedOperationException e) {
                return UNKNOWN;
            }
        }

        private static TcpProgress read(ByteBuffer info) {
            long sent = info.getLong(BYTES_SENT);
            if (sent == 0) {
                // The kernel is older than 4.19.
                return UNKNOWN;
            }
            // The handshake's SYN counts as one.
            long acknowledged = info.getLong(BYTES_ACKED) - 1;
            long taken = sent - info.getLong(BYTES_RETRANS) + info.getInt(NOTSENT_BYTES);
            return new TcpProgress(acknowledged, taken - acknowledged);
        }

        /** Whether the system reports it. */
        public boolean known() {
            return acknowledged >= 0;
        }

        /** Whether the server's system certainly got everything that was sent. */
        public boolean isAllAcknowledged() {
            return known() && pending == 0;
        }

        /** Whether nothing has been acknowledged after another state, which had nothing pending. */
        public boolean isNoneSince(TcpProgress before) {
            return known() && before.pending == 0 && before.acknowledged == acknowledged;
        }
    }
}
