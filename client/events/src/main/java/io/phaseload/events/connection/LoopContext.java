package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.events.tls.Tls;
import io.phaseload.host.TcpConnection;
import io.phaseload.http.MalformedException;
import io.phaseload.http.RequestSource;
import io.phaseload.http.ResponseParser;
import io.phaseload.plan.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * What the connections of one event loop have in common: the loop, where they go, and their
 * deadlines. Used by the loop's thread alone.
 */
public final class LoopContext {

    /** After a stop's time is up: how often what began since then is ended. */
    private static final long ABANDON_NANOS = 10_000_000L;

    private static final int CHUNK = 4 << 10;

    private final SingleThreadIoEventLoop loop;
    private final Transport transport;
    private final Resolver resolver;
    private final Target target;
    private final Tls tls;
    private final RequestSource<LoopRequest> requests;
    private final long connectLimitNanos;
    private final long responseLimitNanos;
    private final byte[] chunk = new byte[CHUNK];
    private final ReceiveBuffers buffers;
    private final OpenChannels channels;
    private final ConnectQueue connectQueue = new ConnectQueue(this);
    private final List<Expirable> connections = new ArrayList<>();
    private ScheduledFuture<?> sweep;
    private boolean abandon;
    private boolean closed;

    public LoopContext(
            SingleThreadIoEventLoop loop,
            Transport transport,
            Resolver resolver,
            Target target,
            Tls tls,
            RequestSource<LoopRequest> requests) {
        this.loop = loop;
        this.transport = transport;
        this.resolver = resolver;
        this.target = target;
        this.tls = tls;
        this.requests = requests;
        this.connectLimitNanos = target.connectTimeout().toNanos();
        this.responseLimitNanos = target.responseTimeout().toNanos();
        this.buffers = new ReceiveBuffers();
        this.channels = new OpenChannels(transport);
    }

    public Target target() {
        return target;
    }

    /** {@code null} for a target without. */
    public Tls tls() {
        return tls;
    }

    public RequestSource<LoopRequest> requests() {
        return requests;
    }

    public long connectLimitNanos() {
        return connectLimitNanos;
    }

    public long responseLimitNanos() {
        return responseLimitNanos;
    }

    /**
     * Reads on in a response, of whose body the bytes aren't moved.
     *
     * @return whether it is whole; what is left of the bytes lies behind it
     */
    public boolean parse(ByteBuf bytes, ResponseParser response) throws MalformedException {
        bytes.skipBytes(response.skip(bytes.readableBytes()));
        while (!response.done() && bytes.isReadable()) {
            int length = Math.min(chunk.length, bytes.readableBytes());
            bytes.readBytes(chunk, 0, length);
            int unread = length - response.parse(chunk, 0, length);
            bytes.readerIndex(bytes.readerIndex() - unread);
            bytes.skipBytes(response.skip(bytes.readableBytes()));
        }
        return response.done();
    }

    public void execute(Runnable task) {
        loop.execute(task);
    }

    public ScheduledFuture<?> schedule(Runnable task, long nanos) {
        return loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    public ConnectQueue connectQueue() {
        return connectQueue;
    }

    /** A channel of this loop, not yet connected. */
    SocketChannel newChannel() {
        SocketChannel channel = transport.newChannel();
        channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, buffers);
        // In the loop's own thread it is done when it returns.
        loop.register(channel);
        channels.add(channel);
        return channel;
    }

    /** How a few of its connections are, others each time; none where they don't tell. */
    public List<TcpConnection> askConnections() {
        return channels.ask();
    }

    /**
     * Gives a channel up.
     *
     * @param channel may be {@code null}
     * @param reset so that no port is left waiting for what a broken peer may still send
     */
    public void drop(SocketChannel channel, boolean reset) {
        if (channel == null) {
            return;
        }
        if (reset && channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        if (tls == null) {
            channel.close();
        } else if (reset) {
            beneathTls(channel).close();
        } else {
            // TLS sends close_notify first, which may take time; nothing may come into the loop's
            // buffer until then.
            channel.config().setAutoRead(false);
            channel.close();
        }
    }

    /** What writes and closes without TLS, whether there is some or not. */
    static ChannelOutboundInvoker beneathTls(SocketChannel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        return first == null ? channel : first;
    }

    /** Finds the target's addresses; the answer comes later, in this loop. */
    void lookUp(BiConsumer<Resolver.Found, Throwable> then) {
        resolver.lookUp()
                .whenComplete(
                        (found, failure) ->
                                loop.execute(() -> then.accept(found, unwrapped(failure))));
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    public void add(Expirable connection) {
        connections.add(connection);
        if (sweep == null && !closed) {
            sweepAfter(abandon ? ABANDON_NANOS : Math.min(connectLimitNanos, responseLimitNanos));
        }
    }

    public void remove(Expirable connection) {
        connections.remove(connection);
    }

    private void sweepAfter(long nanos) {
        sweep = schedule(this::sweep, nanos);
    }

    /** Ends what has taken too long; one look at all of them instead of a timer a request. */
    private void sweep() {
        long now = System.nanoTime();
        long wait = Math.min(connectLimitNanos, responseLimitNanos);
        // By index: an end may make users leave.
        for (int i = connections.size() - 1; i >= 0; i--) {
            wait = Math.min(wait, connections.get(i).expire(now, abandon));
        }
        sweepAfter(abandon ? Math.min(wait, ABANDON_NANOS) : wait);
    }

    /** Ends whatever is still in flight some time from now, and what begins after that. */
    public void abandonAfter(long nanos) {
        schedule(
                () -> {
                    abandon = true;
                    if (sweep != null) {
                        sweep.cancel(false);
                        sweep();
                    }
                },
                nanos);
    }

    public void close() {
        closed = true;
        if (sweep != null) {
            sweep.cancel(false);
            sweep = null;
        }
        List.copyOf(connections).forEach(Expirable::close);
        buffers.close();
    }
}
