package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.phaseload.http.EndOfStreamException;
import io.phaseload.http.Tunnel;
import java.util.function.Consumer;

/** Asks a proxy for a tunnel, and goes when it is there. Owned by one event loop. */
final class TunnelHandler extends ChannelInboundHandlerAdapter {

    private final Tunnel tunnel;
    private final Runnable done;
    private final Consumer<Throwable> failed;
    private boolean over;

    /**
     * Runs it.
     *
     * @param done adds the handlers of what follows
     * @param failed says why there is no tunnel; at most one of both is called, once
     */
    TunnelHandler(Tunnel tunnel, Runnable done, Consumer<Throwable> failed) {
        this.tunnel = tunnel;
        this.done = done;
        this.failed = failed;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.writeAndFlush(Unpooled.wrappedBuffer(tunnel.begin()));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            while (!over && !tunnel.done() && bytes.isReadable()) {
                byte[] answer = tunnel.read(bytes.readByte());
                if (answer.length > 0) {
                    context.writeAndFlush(Unpooled.wrappedBuffer(answer));
                }
            }
        } catch (Tunnel.TunnelRefusedException refused) {
            fail(refused);
        }
        if (over || !tunnel.done()) {
            bytes.release();
            return;
        }
        over = true;
        done.run();
        if (bytes.isReadable()) {
            // What came with the proxy's answer is the target's.
            context.fireChannelRead(bytes);
        } else {
            bytes.release();
        }
        if (!context.isRemoved()) {
            context.pipeline().remove(this);
        }
    }

    private void fail(Throwable why) {
        if (!over) {
            over = true;
            failed.accept(why);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            fail(new EndOfStreamException());
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(new EndOfStreamException());
        context.fireChannelInactive();
    }
}
