package io.phaseload.websocket;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.websocket.frames.UpgradeResponse;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Has our handlers of WebSockets tried by Autobahn's test suite: {@code wstest -m fuzzingserver}, of PyPI's
 * autobahntestsuite on Python 2. Run by hand: its argument is the server's address, and the server writes the report.
 */
final class AutobahnClient {

    private static final String AGENT = "phaseload";
    private static final int LONGEST = 1 << 20;

    private final String server;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    private AutobahnClient(String server) {
        this.server = server;
    }

    public static void main(String... arguments) throws InterruptedException {
        new AutobahnClient(arguments[0]).run();
    }

    private void run() throws InterruptedException {
        Echo count = new Echo();
        connect("getCaseCount", count);
        int cases = Integer.parseInt(count.lastText);
        for (int number = 1; number <= cases; number++) {
            connect("runCase?case=" + number + "&agent=" + AGENT, new Echo());
        }
        connect("updateReports?agent=" + AGENT, new Echo());
        loop.shutdownGracefully();
        System.out.println(cases + " cases");
    }

    /** Returns when the connection has ended. */
    private void connect(String path, Echo echo) throws InterruptedException {
        URI uri = URI.create(server + "/" + path);
        Protocol.WebSocket protocol = new Protocol.WebSocket(0, LONGEST, List.of(), true, Optional.empty());
        Plan plan = Plan.builder(uri)
                .threads(1)
                .engine(EngineSettings.builder("websocket").protocol(protocol).build())
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Iterations(1),
                        new Load.Open(new ConstantArrivals(Rate.perSecond(1)), Load.Overload.QUEUE)))
                .build();
        Handshakes handshakes = new Handshakes(plan, protocol);
        DuplexChannel channel = (DuplexChannel) new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(uri.getHost(), uri.getPort())
                .sync()
                .channel();
        Opening opening = new Opening(channel, handshakes, echo);
        channel.eventLoop()
                .execute(() -> UpgradeResponse.ask(channel, handshakes.of(0), opening, handshakes.extensions()));
        channel.closeFuture().sync();
    }

    private record Opening(DuplexChannel channel, Handshakes handshakes, Echo echo)
            implements UpgradeResponse.Listener {

        @Override
        public void agreed(ChannelHandlerContext context, FullHttpResponse response) {
            context.pipeline().addLast(handshakes.newReaders()).addLast(echo);
        }

        @Override
        public void refused(Outcome outcome) {
            channel.close();
        }
    }

    /** Sends messages back, answers pings and closes. */
    private static final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {

        private volatile String lastText = "";

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text) {
                lastText = text.text();
            }
            if (frame instanceof PingWebSocketFrame) {
                context.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
            } else if (!(frame instanceof PongWebSocketFrame)) {
                context.writeAndFlush(frame.retain()).addListener(sent -> {
                    if (frame instanceof CloseWebSocketFrame) {
                        context.close();
                    }
                });
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
