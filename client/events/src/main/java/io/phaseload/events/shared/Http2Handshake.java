package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.phaseload.measure.Exchange.SetUp;
import java.nio.charset.StandardCharsets;

/**
 * How a connection of HTTP/2 is set up: it is ready when the server's settings have arrived, which
 * is part of what it took. Owned by one event loop.
 */
final class Http2Handshake {

    /** Of what a server says that doesn't speak HTTP/2, no more than this is shown. */
    private static final int SHOWN = 100;

    private final long beganNanos = System.nanoTime();
    private final SetUp channel;
    private boolean done;

    /**
     * Begins.
     *
     * @param channel how the channel was made
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
     * @return what it took, with the channel's part
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

    /** Nanoseconds until the time to connect is up; 0 or less if it is. */
    long leftNanos(long now, long limit) {
        return beganNanos - channel.nanos() + limit - now;
    }

    /** The first line of what a server says that doesn't speak HTTP/2. */
    static String firstLine(ByteBuf bytes, int from) {
        int length = Math.min(SHOWN, bytes.writerIndex() - from);
        String text = bytes.toString(from, length, StandardCharsets.ISO_8859_1);
        return text.replaceFirst("(?s)[\\r\\n].*", "").replaceAll("\\p{Cntrl}", "?");
    }
}
