package io.phaseload.events;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;

/**
 * Holds back, beneath TLS, what TLS answers to the server's goodbye while a request waits for its
 * response: a reset that comes then must have been provoked by the request, and by nothing else.
 */
final class TlsSilence extends ChannelOutboundHandlerAdapter {

    private final SSLEngine engine;
    private final BooleanSupplier awaitsAnswer;

    /**
     * Makes one for a connection.
     *
     * @param awaitsAnswer whether a request was sent of whose response nothing has come
     */
    TlsSilence(SSLEngine engine, BooleanSupplier awaitsAnswer) {
        this.engine = engine;
        this.awaitsAnswer = awaitsAnswer;
    }

    @Override
    public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
        if (awaitsAnswer.getAsBoolean() && engine.isInboundDone()) {
            ReferenceCountUtil.release(bytes);
            promise.trySuccess();
        } else {
            context.write(bytes, promise);
        }
    }
}
