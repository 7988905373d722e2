package io.phaseload.events.connection;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import io.phaseload.events.tls.TlsFailures;
import io.phaseload.http.ConnectRoute;
import io.phaseload.http.FailureCauses;
import io.phaseload.http.Tunnel;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.connection.SocketBuffers;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Opens one connection: resolves the target, connects to the first address that answers, asks a proxy for a tunnel, and
 * starts TLS if the target uses it. Owned by one event loop.
 */
public final class ConnectAttempt implements ConnectQueue.Waiter {

    /** Called once with the outcome, in the loop's thread and never from within {@link #begin}. */
    public interface Listener {

        /**
         * The connection is open.
         *
         * @param channel a channel without the listener's handlers, from which nothing was read
         * @param setUp the times that it took
         */
        void connected(DuplexChannel channel, SetUp setUp);

        /**
         * No connection could be made.
         *
         * @param endNanos the time when that was known; for a timeout, the limit itself
         */
        void connectFailed(long startNanos, long endNanos, Outcome outcome);

        /** Nothing was tried, since no more connections are to be opened. */
        void connectCancelled();
    }

    private final LoopContext loop;
    private final Resolver resolver;
    private final Listener listener;
    private boolean begun;
    private long startNanos;
    private long deadlineNanos;
    private long foundNanos;
    private long connectedNanos;
    private ConnectRoute.Addresses found;
    private int tried;
    private Throwable firstFailure;
    private DuplexChannel channel;
    private boolean over;

    private ConnectAttempt(LoopContext loop, Resolver resolver, Listener listener) {
        this.loop = loop;
        this.resolver = resolver;
        this.listener = listener;
    }

    /** Begins one to the loop's target. */
    public static ConnectAttempt begin(LoopContext loop, Listener listener) {
        return begin(loop, loop.resolver(), listener);
    }

    /** Begins one that takes another way to it. */
    public static ConnectAttempt begin(LoopContext loop, Resolver resolver, Listener listener) {
        ConnectAttempt attempt = new ConnectAttempt(loop, resolver, listener);
        loop.connectQueue().enter(attempt);
        return attempt;
    }

    @Override
    public void proceed() {
        if (!over) {
            begun = true;
            startNanos = System.nanoTime();
            deadlineNanos = startNanos + loop.connectLimitNanos();
            loop.lookUp(resolver, this::found);
        }
    }

    @Override
    public void cancel() {
        if (!over) {
            over = true;
            listener.connectCancelled();
        }
    }

    private void found(Resolver.ResolvedHost now, Throwable failure) {
        if (over) {
            return;
        }
        if (failure != null) {
            failed(failure);
            return;
        }
        found = now.way();
        // An attempt may join a lookup that has just ended.
        foundNanos = Math.max(startNanos, now.nanos());
        connect();
    }

    /** Each address gets an equal part of the time that is left. */
    private void connect() {
        if (tried == found.addresses().size()) {
            failed(firstFailure);
            return;
        }
        long nanos = (deadlineNanos - System.nanoTime()) / (found.addresses().size() - tried);
        SocketAddress address = found.addresses().get(tried);
        try {
            channel = loop.newChannel(address);
        } catch (ChannelException e) {
            // For example, if there are no file descriptors left.
            failed(e.getCause() == null ? e : e.getCause());
            return;
        }
        ChannelConfig config = channel.config();
        // Of TCP alone; another channel has no such option.
        config.setOption(ChannelOption.TCP_NODELAY, true);
        config.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        SocketBuffers buffers = loop.target().buffers();
        buffers.receive().ifPresent(bytes -> config.setOption(ChannelOption.SO_RCVBUF, bytes));
        buffers.send().ifPresent(bytes -> config.setOption(ChannelOption.SO_SNDBUF, bytes));
        // After a failed write, what has arrived is still read.
        config.setAutoClose(false);
        config.setConnectTimeoutMillis((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        loop.connect(channel, address).addListener(this::tried);
    }

    private void tried(Future<?> connect) {
        if (over) {
            return;
        }
        tried++;
        if (!connect.isSuccess()) {
            next(connect.cause());
            return;
        }
        Tunnel tunnel = resolver.way().newTunnel(found);
        if (tunnel == null) {
            connected();
        } else {
            channel.pipeline().addLast(new TunnelHandler(tunnel, this::connected, this::refused));
        }
    }

    private void refused(Throwable why) {
        if (!over) {
            next(why);
        }
    }

    /** The next address, if there is one. */
    private void next(Throwable failure) {
        if (firstFailure == null) {
            firstFailure = failure;
        }
        loop.drop(channel, true);
        channel = null;
        loop.execute(() -> {
            if (!over) {
                connect();
            }
        });
    }

    private void connected() {
        if (over) {
            return;
        }
        connectedNanos = System.nanoTime();
        if (loop.tls() == null) {
            ready(connectedNanos, -1);
        } else {
            channel.pipeline().addLast(loop.tls().newHandler(channel.alloc()), new HandshakeHandler());
        }
    }

    private void ready(long now, long tlsNanos) {
        if (now - deadlineNanos >= 0) {
            expire(now, false);
            return;
        }
        over = true;
        listener.connected(channel, new SetUp(foundNanos - startNanos, connectedNanos - foundNanos, tlsNanos));
    }

    /** Receives the end of the TLS handshake. */
    private final class HandshakeHandler extends ChannelInboundHandlerAdapter {

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (over) {
                context.fireUserEventTriggered(event);
            } else if (event instanceof SslHandshakeCompletionEvent done) {
                if (done.isSuccess()) {
                    context.pipeline().remove(this);
                    long now = System.nanoTime();
                    ready(now, now - connectedNanos);
                } else {
                    failed(TlsFailures.jdks(done.cause()));
                }
            } else if (event == ChannelInputShutdownEvent.INSTANCE) {
                failed(TlsFailures.terminated());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!over) {
                failed(TlsFailures.jdks(cause));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!over) {
                failed(TlsFailures.terminated());
            }
        }
    }

    private void failed(Throwable why) {
        long now = System.nanoTime();
        if (now - deadlineNanos >= 0) {
            expire(now, false);
        } else {
            end(now, FailureCauses.ofConnect(why));
        }
    }

    /**
     * Ends the attempt if its time is up.
     *
     * @param now as {@link System#nanoTime()}
     * @param abandon true to end it in any case
     * @return nanoseconds until its time is up, or {@link Long#MAX_VALUE} if no attempt is running
     */
    public long expire(long now, boolean abandon) {
        if (over || !begun) {
            return Long.MAX_VALUE;
        }
        if (now - deadlineNanos >= 0) {
            end(now, Outcome.NoResponse.CONNECT_TIMEOUT);
        } else if (abandon) {
            end(now, Outcome.ClientFault.stopped());
        } else {
            return deadlineNanos - now;
        }
        return Long.MAX_VALUE;
    }

    private void end(long now, Outcome outcome) {
        close();
        listener.connectFailed(startNanos, outcome.censored() ? deadlineNanos : now, outcome);
    }

    /** Cancels it without calling the listener. */
    public void close() {
        over = true;
        loop.drop(channel, true);
    }
}
