package io.phaseload.events.connection;

import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.phaseload.events.tls.Tls;

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
}
