package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What a server did on a kept connection while no request was in flight. */
final class Unasked {

    /** More than this isn't kept of what it says. */
    private static final int MAX_BYTES = 64 << 10;

    private boolean ended;
    private boolean rest;
    private ByteBuf said;

    /** It has ended the stream, or the connection is broken. */
    void end() {
        ended = true;
    }

    /** More came with a response than belongs to it. */
    void rest() {
        rest = true;
    }

    boolean hasRest() {
        return rest;
    }

    /** It said something. */
    void say(ByteBuf bytes) {
        if (said == null) {
            said = Unpooled.buffer(bytes.readableBytes());
        }
        if (said.readableBytes() < MAX_BYTES) {
            said.writeBytes(bytes);
        }
    }

    boolean ended() {
        return ended;
    }

    /** Whether it ended the stream without a word, so that nothing need be sent to know it. */
    boolean endedSilently() {
        return ended && said == null;
    }

    /** What it said, or {@code null}; whoever takes it releases it. */
    ByteBuf takeSaid() {
        ByteBuf taken = said;
        said = null;
        return taken;
    }

    void clear() {
        ended = false;
        rest = false;
        if (said != null) {
            said.release();
            said = null;
        }
    }
}
