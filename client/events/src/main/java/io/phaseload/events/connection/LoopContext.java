package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.events.tls.Tls;
import io.phaseload.host.TcpConnection;
import io.phaseload.http.ConnectRoute;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import io.phaseload.plan.Target;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The shared state of one event loop's connections: the loop, the target, and deadlines. Used only by the loop's
 * thread.
 */
public final class LoopContext {

    /** After a stop's drain: how often to end what started since. */
    private static final long ABANDON_NANOS = 10_000_000L;

    private static final int CHUNK = 4 << 10;

    private final SingleThreadIoEventLoop loop;
    private final Transport transport;
    private final Resolver resolver;
    private final Target target;
    private final Tls tls;
    private final LoopRequests requests;
    private final boolean keepsHeads;
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

    LoopContext(
            SingleThreadIoEventLoop loop,
            Transport transport,
            Resolver resolver,
            Target target,
            Tls tls,
            LoopRequests requests,
            boolean keepsHeads) {
        this.loop = loop;
        this.transport = transport;
        this.resolver = resolver;
        this.target = target;
        this.tls = tls;
        this.requests = requests;
        this.keepsHeads = keepsHeads;
        this.connectLimitNanos = target.connectTimeout().toNanos();
        this.responseLimitNanos = target.responseTimeout().toNanos();
        this.buffers = new ReceiveBuffers();
        this.channels = new OpenChannels(transport);
    }

    public Target target() {
        return target;
    }

    /** {@code null} without TLS. */
    public Tls tls() {
        return tls;
    }

    public LoopRequests requests() {
        return requests;
    }

    /** Whether any request has the header of its response kept. */
    public boolean keepsHeads() {
        return keepsHeads;
    }

    public long connectLimitNanos() {
        return connectLimitNanos;
    }

    public long responseLimitNanos() {
        return responseLimitNanos;
    }

    /**
     * Feeds bytes to a response, without copying its body.
     *
     * @return true if it is complete; any remaining bytes come after it
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

    /** Whether it is just empty lines, which some servers send after a body. */
    public static boolean isBlank(ByteBuf bytes) {
        for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
            if (bytes.getByte(i) != '\r' && bytes.getByte(i) != '\n') {
                return false;
            }
        }
        return true;
    }

    public void execute(Runnable task) {
        loop.execute(task);
    }

    public ScheduledFuture<?> schedule(Runnable task, long nanos) {
        return loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /** Runs a task when a server has had its time to ask for a body. */
    public void afterContinue(Runnable task) {
        loop.schedule(task, PreparedRequest.CONTINUE_MILLIS, TimeUnit.MILLISECONDS);
    }

    public ConnectQueue connectQueue() {
        return connectQueue;
    }

    /** Of the target. */
    Resolver resolver() {
        return resolver;
    }

    /** The way to the target. */
    ConnectRoute way() {
        return resolver.way();
    }

    /**
     * Begins to connect.
     *
     * @param made an unconnected channel of this loop
     */
    ChannelFuture connect(DuplexChannel made, SocketAddress address) {
        return made.connect(transport.nettys(address));
    }

    /** Creates an unconnected channel of this loop for an address. */
    DuplexChannel newChannel(SocketAddress address) {
        DuplexChannel channel = transport.newChannel(address instanceof UnixDomainSocketAddress);
        channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, buffers);
        // In the loop's own thread, this is done on return.
        loop.register(channel);
        channels.add(channel);
        return channel;
    }

    /** Reads what has arrived over a channel of this loop, where the transport needs that before it sends. */
    void readNow(DuplexChannel channel) {
        transport.readNow(channel);
    }

    /** How a few of its connections are, others each time; none if they don't report. */
    public List<TcpConnection> askConnections() {
        return channels.ask();
    }

    /**
     * Closes a channel.
     *
     * @param channel may be {@code null}
     * @param reset true to send a reset, so that no port stays in TIME_WAIT for a broken peer
     */
    public void drop(DuplexChannel channel, boolean reset) {
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
            // TLS first sends close_notify, which may take time; nothing may be read into the
            // loop's
            // buffer until then.
            channel.config().setAutoRead(false);
            channel.close();
        }
    }

    /** Writes and closes below TLS, if there is any. */
    static ChannelOutboundInvoker beneathTls(DuplexChannel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        return first == null ? channel : first;
    }

    /** Asks a resolver; the addresses arrive later, in this loop. */
    void lookUp(Resolver of, BiConsumer<Resolver.ResolvedHost, Throwable> then) {
        of.lookUp().whenComplete((found, failure) -> loop.execute(() -> then.accept(found, unwrapped(failure))));
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

    /** Ends what has taken too long: one scan instead of a timer per request. */
    private void sweep() {
        long now = System.nanoTime();
        long wait = Math.min(connectLimitNanos, responseLimitNanos);
        // By index: users may be removed meanwhile.
        for (int i = connections.size() - 1; i >= 0; i--) {
            wait = Math.min(wait, connections.get(i).expire(now, abandon));
        }
        sweepAfter(abandon ? Math.min(wait, ABANDON_NANOS) : wait);
    }

    /** Cuts off whatever is in flight after some time, and whatever starts later. */
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
