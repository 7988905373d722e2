package io.phaseload.events.shared;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** An HTTP/2 server on Netty's own codec that does to each request what it is told to. */
final class Http2Server implements AutoCloseable {

    /** A request that has arrived whole, with what can be done to it. Used by the server's thread. */
    final class Request {

        private final ChannelHandlerContext context;
        private final Http2FrameStream stream;
        private final Http2Headers headers;
        private final int number;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Request(ChannelHandlerContext context, Http2HeadersFrame head, int number) {
            this.context = context;
            this.stream = head.stream();
            this.headers = head.headers();
            this.number = number;
        }

        /** Its number among all requests, from 1. */
        int number() {
            return number;
        }

        int stream() {
            return stream.id();
        }

        String header(String name) {
            CharSequence value = headers.get(name);
            return value == null ? null : value.toString();
        }

        Http2Headers headers() {
            return headers;
        }

        byte[] body() {
            return body.toByteArray();
        }

        long bodyBytes() {
            return body.size();
        }

        void answer() {
            answer(200, 2);
        }

        void answer(int status, int length, String... more) {
            Http2Headers head = new DefaultHttp2Headers().status(Integer.toString(status));
            head.setInt("content-length", length);
            for (int i = 0; i < more.length; i += 2) {
                head.set(more[i], more[i + 1]);
            }
            unanswered--;
            head(head, false);
            data(length, 0, true);
        }

        /** Answers with a text in two frames. */
        void answer(int status, String text) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            int half = body.length / 2;
            unanswered--;
            head(new DefaultHttp2Headers().status(Integer.toString(status)), false);
            data(Arrays.copyOf(body, half), 7, false);
            data(Arrays.copyOfRange(body, half, body.length), 0, true);
        }

        /** Answers from any thread. */
        void answerLater(Http2Headers head, byte[] content) {
            context.executor().execute(() -> {
                unanswered--;
                head(head, false);
                data(content, 0, true);
            });
        }

        void head(Http2Headers head, boolean last) {
            context.writeAndFlush(new DefaultHttp2HeadersFrame(head, last).stream(stream));
        }

        void data(int length, int padding, boolean last) {
            data(new byte[length], padding, last);
        }

        private void data(byte[] content, int padding, boolean last) {
            context.writeAndFlush(
                    new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(content), last, padding).stream(stream));
        }

        void reset(Http2Error error) {
            context.writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
        }

        /** Takes no more requests on the connection than those up to a stream. */
        void goAway(int lastStream, Http2Error error) {
            Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
            ChannelHandlerContext its = context.pipeline().context(codec);
            codec.goAway(its, lastStream, error.code(), Unpooled.EMPTY_BUFFER, its.newPromise());
            context.flush();
        }

        void ping(long content) {
            context.writeAndFlush(new DefaultHttp2PingFrame(content));
        }

        void closeConnection() {
            context.channel().close();
        }
    }

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger answerable = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final List<Long> resets = new CopyOnWriteArrayList<>();
    private final List<Long> pings = new CopyOnWriteArrayList<>();
    private final Consumer<Request> script;
    private final boolean takesBodies;
    private final SSLContext tls;
    private volatile boolean asking;
    // Guarded by being used in the server's thread.
    private int unanswered;

    Http2Server(Consumer<Request> script) {
        this(Http2Settings.defaultSettings(), true, script);
    }

    Http2Server(Http2Settings settings, boolean takesBodies, Consumer<Request> script) {
        this(settings, takesBodies, null, script);
    }

    /**
     * Starts a server on a free port.
     *
     * @param settings what it says first
     * @param takesBodies whether it allows more of a body than its first window
     * @param tls what it encrypts with, or {@code null} for none
     * @param script is given each request when it is whole
     */
    Http2Server(Http2Settings settings, boolean takesBodies, SSLContext tls, Consumer<Request> script) {
        this.tls = tls;
        this.script = script;
        this.takesBodies = takesBodies;
        this.listening = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.incrementAndGet();
                        if (tls != null) {
                            channel.pipeline().addLast(new SslHandler(engine()));
                        }
                        channel.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forServer()
                                                .initialSettings(settings)
                                                .decoderEnforceMaxRstFramesPerWindow(0, 0)
                                                .build(),
                                        new Reader());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    /** From now on, clients must show a certificate that it trusts. */
    Http2Server askingForACertificate() {
        asking = true;
        return this;
    }

    URI uri() {
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        String host = tls == null ? "http://127.0.0.1:" : "https://localhost:";
        return URI.create(host + address.getPort() + "/");
    }

    private SSLEngine engine() {
        SSLEngine engine = tls.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(asking);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** Does something in the server's thread. */
    void execute(Runnable task) {
        group.execute(task);
    }

    int connections() {
        return connections.get();
    }

    /** How many requests came whole. */
    int requests() {
        return requests.get();
    }

    /** How many requests were unanswered at once, at most. */
    int mostAtOnce() {
        return mostAtOnce.get();
    }

    /** The error codes of the streams that the client has reset. */
    List<Long> resets() {
        return resets;
    }

    /** What came back of pings. */
    List<Long> pings() {
        return pings;
    }

    /** No more connections can be made. */
    void stopListening() {
        listening.close().syncUninterruptibly();
    }

    @Override
    public void close() {
        listening.close().syncUninterruptibly();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Reader extends ChannelInboundHandlerAdapter {

        private final Map<Integer, Request> open = new HashMap<>();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof Http2HeadersFrame head) {
                    int id = head.stream().id();
                    open.put(id, new Request(context, head, answerable.incrementAndGet()));
                    mostAtOnce.accumulateAndGet(++unanswered, Math::max);
                    if (head.isEndStream()) {
                        whole(id);
                    } else if (head.headers().contains("expect")) {
                        expected(id);
                    }
                } else if (message instanceof Http2DataFrame data) {
                    Request request = open.get(data.stream().id());
                    request.body.writeBytes(ByteBufUtil.getBytes(data.content()));
                    if (takesBodies) {
                        context.write(new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes())
                                .stream(data.stream()));
                    }
                    if (data.isEndStream()) {
                        whole(data.stream().id());
                    }
                } else if (message instanceof Http2ResetFrame reset) {
                    open.remove(reset.stream().id());
                    resets.add(reset.errorCode());
                } else if (message instanceof Http2PingFrame ping && ping.ack()) {
                    pings.add(ping.content());
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        /** It wants all bodies but those for one path. */
        private void expected(int id) {
            if (open.get(id).header(":path").equals("/refused")) {
                open.remove(id).answer(413, 2);
            } else {
                open.get(id).head(new DefaultHttp2Headers().status("100"), false);
            }
        }

        private void whole(int id) {
            requests.incrementAndGet();
            script.accept(open.remove(id));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
