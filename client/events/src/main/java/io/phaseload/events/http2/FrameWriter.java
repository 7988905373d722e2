package io.phaseload.events.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.socket.DuplexChannel;
import java.nio.charset.StandardCharsets;

/** Writes HTTP/2 frames to one connection: they are collected, and sent by {@link #flush()}. */
public final class FrameWriter {

    /** The connection preface. */
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** An instruction in a header block: the dynamic table is empty and stays so. */
    private static final int NO_TABLE = 0x20;

    /** If more is collected, it is sent at once. */
    private static final int FULL = 64 << 10;

    private final DuplexChannel channel;
    private ByteBuf gathered = newBuffer();

    public FrameWriter(DuplexChannel channel) {
        this.channel = channel;
    }

    private static ByteBuf newBuffer() {
        return Unpooled.directBuffer(4 << 10);
    }

    /** Starts the connection. */
    public void preface(int[] keys, int[] values) {
        gathered.writeBytes(PREFACE);
        frame(6 * keys.length, FrameReader.SETTINGS, 0, 0);
        for (int i = 0; i < keys.length; i++) {
            gathered.writeShort(keys[i]).writeInt(values[i]);
        }
    }

    public void settingsAck() {
        frame(0, FrameReader.SETTINGS, FrameReader.ACK, 0);
    }

    public void pingAck(long content) {
        frame(8, FrameReader.PING, FrameReader.ACK, 0);
        gathered.writeLong(content);
    }

    public void window(int stream, int more) {
        frame(4, FrameReader.WINDOW_UPDATE, 0, stream);
        gathered.writeInt(more);
    }

    public void reset(int stream, Http2Error error) {
        frame(4, FrameReader.RST_STREAM, 0, stream);
        gathered.writeInt(error.ordinal());
    }

    public void goAway(Http2Error error) {
        frame(8, FrameReader.GOAWAY, 0, 0);
        gathered.writeInt(0).writeInt(error.ordinal());
    }

    /**
     * Writes a request's header, in as many frames as it needs.
     *
     * @param block a buffer that begins with it; its positions aren't moved
     * @param first true if it is the first one of the connection
     */
    public void headers(int stream, ByteBuf block, int length, boolean first, boolean last) {
        int extra = first ? 1 : 0;
        int whole = length + extra;
        int part = Math.min(whole, FrameReader.MAX_FRAME);
        int end = last ? FrameReader.END_STREAM : 0;
        int whether = part == whole ? FrameReader.END_HEADERS : 0;
        frame(part, FrameReader.HEADERS, end | whether, stream);
        if (first) {
            gathered.writeByte(NO_TABLE);
        }
        gathered.writeBytes(block, 0, part - extra);
        for (int at = part - extra; at < length; at += part) {
            part = Math.min(length - at, FrameReader.MAX_FRAME);
            whether = at + part == length ? FrameReader.END_HEADERS : 0;
            frame(part, FrameReader.CONTINUATION, whether, stream);
            gathered.writeBytes(block, at, part);
        }
    }

    /** Writes a part of a body that fits into one frame. */
    public void data(int stream, ByteBuf bytes, int from, int length, boolean last) {
        frame(length, FrameReader.DATA, last ? FrameReader.END_STREAM : 0, stream);
        gathered.writeBytes(bytes, from, length);
    }

    private void frame(int length, int type, int flags, int stream) {
        gathered.ensureWritable(FrameReader.HEADER + length);
        gathered.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }

    /** Whether it is time to send. */
    public boolean full() {
        return gathered.readableBytes() >= FULL;
    }

    /** Sends what was collected; the channel's handlers learn of a failure. */
    public void flush() {
        if (!gathered.isReadable()) {
            return;
        }
        channel.writeAndFlush(gathered.retain(), channel.voidPromise());
        if (gathered.refCnt() == 1) {
            gathered.clear();
        } else {
            // The rest of it still has to be sent.
            gathered.release();
            gathered = newBuffer();
        }
    }

    /** Stops writing. */
    public void release() {
        gathered.release();
    }
}
