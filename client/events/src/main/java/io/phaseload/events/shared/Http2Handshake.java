package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.phaseload.input.Printable;
import io.phaseload.measure.Exchange.SetUp;
import java.nio.charset.StandardCharsets;

/**
 * Sets up an HTTP/2 connection: it is ready when the server's settings have arrived, and the wait for them counts as
 * set-up. Owned by one event loop.
 */
final class Http2Handshake {

    /** How much to quote of what a server sends that doesn't speak HTTP/2. */
    private static final int SHOWN = 100;

    private final long beganNanos = System.nanoTime();
    private final SetUp channel;
    private boolean done;

    /**
     * Begins.
     *
     * @param channel the times of making the channel
     */
    Http2Handshake(SetUp channel) {
        this.channel = channel;
    }

    /** Whether the server speaks HTTP/2 and takes requests. */
    boolean done() {
        return done;
    }

    /**
     * The server's settings have arrived.
     *
     * @return the times of the set-up, including the channel's
     */
    SetUp end(long now) {
        done = true;
        long took = now - beganNanos;
        boolean tls = channel.tlsNanos() >= 0;
        return new SetUp(
                channel.lookUpNanos(),
                channel.connectNanos() + (tls ? 0 : took),
                channel.tlsNanos() + (tls ? took : 0));
    }

    /** Nanoseconds until the time to connect is up; 0 or less if it is up. */
    long leftNanos(long now, long limit) {
        return beganNanos - channel.nanos() + limit - now;
    }

    /** The first line that a server sent that doesn't speak HTTP/2. */
    static String firstLine(ByteBuf bytes, int from) {
        int length = Math.min(SHOWN, bytes.writerIndex() - from);
        String text = bytes.toString(from, length, StandardCharsets.ISO_8859_1);
        return Printable.of(text.replaceFirst("(?s)[\\r\\n].*", ""));
    }
}
