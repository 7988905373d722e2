package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.phaseload.measure.Exchange.SetUp;
import java.nio.charset.StandardCharsets;

/**
 * How a connection of HTTP/2 comes about: it is there when the server's settings are, and its first
 * request tells what that took. Owned by one event loop.
 */
final class Http2Start {

    /** More than this isn't shown of what a server says that doesn't speak HTTP/2. */
    private static final int SHOWN = 100;

    private final long openedNanos = System.nanoTime();
    private final long channelNanos;
    private SetUp setUp;
    private boolean anew;
    private boolean ready;

    /**
     * Begins on a channel.
     *
     * @param setUp how it was made
     * @param anew whether that is in the place of one that the server had closed
     */
    Http2Start(SetUp setUp, boolean anew) {
        this.setUp = setUp;
        this.channelNanos = setUp.nanos();
        this.anew = anew;
    }

    /** Whether the server speaks HTTP/2 and takes requests. */
    boolean ready() {
        return ready;
    }

    /** The server's settings have come. */
    void settingsCame(long now) {
        ready = true;
        long took = now - openedNanos;
        boolean tls = setUp.tlsNanos() >= 0;
        setUp =
                new SetUp(
                        setUp.lookUpNanos(),
                        setUp.connectNanos() + (tls ? 0 : took),
                        setUp.tlsNanos() + (tls ? took : 0));
    }

    /** What it took, for the first request; {@code null} for the others. */
    SetUp takeSetUp() {
        SetUp taken = setUp;
        setUp = null;
        return taken;
    }

    /** Whether it takes the place of one that the server had closed; for the first request. */
    boolean takeAnew() {
        boolean taken = anew;
        anew = false;
        return taken;
    }

    /** Nanoseconds until the time to connect is up; 0 or less if it is. */
    long leftNanos(long now, long limit) {
        return openedNanos - channelNanos + limit - now;
    }

    /** The first line of what a server says that doesn't speak HTTP/2. */
    static String firstLine(ByteBuf bytes, int from) {
        int length = Math.min(SHOWN, bytes.writerIndex() - from);
        String text = bytes.toString(from, length, StandardCharsets.ISO_8859_1);
        return text.replaceFirst("(?s)[\\r\\n].*", "").replaceAll("\\p{Cntrl}", "?");
    }
}
