package io.phaseload.events.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.http.limit.ResponseLimits;
import java.util.Arrays;

/**
 * Parses HTTP/2 frames (RFC 9113 §4) from the bytes of one connection as they arrive. The payload of a DATA frame is
 * passed on in pieces, other frames as a whole.
 */
public final class FrameReader {

    /** Receives the frames. Stream 0 is the connection. */
    public interface Listener {

        /** The frames that the server may send without progress; always the same. */
        ProgressBudget budget();

        /** A header or a trailer is complete; read it before the call returns. */
        void head(int stream, ResponseHead head, boolean last) throws Http2Exception;

        /**
         * A part of a body has arrived.
         *
         * @param bytes a buffer that begins with it; don't move its positions
         * @param length the length of the content
         */
        void data(int stream, ByteBuf bytes, int length, int taken, boolean last) throws Http2Exception;

        /** Bytes of a stream other than its body have arrived. */
        void overhead(int stream, int bytes);

        void reset(int stream, long code) throws Http2Exception;

        void setting(int key, long value) throws Http2Exception;

        void settingsEnd();

        void ping(long content);

        void goAway(int lastStream, long code) throws Http2Exception;

        void window(int stream, int more) throws Http2Exception;
    }

    static final int HEADER = 9;

    /** The protocol's default for a frame's payload, which this client keeps. */
    public static final int MAX_FRAME = 16 << 10;

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int WITH_PRIORITY = 0x20;

    private final Listener listener;
    private final ProgressBudget budget;
    private final HeaderBlockReader blocks;
    private final ResponseHead head = new ResponseHead();

    // The beginning of a frame whose rest hasn't arrived, or null.
    private ByteBuf rest;
    private boolean begun;
    private boolean stopped;

    // The current frame.
    private int type;
    private int flags;
    private int stream;

    // For a DATA frame.
    private boolean inData;
    private int contentLeft;
    private int paddingLeft;

    // For a header block, whose CONTINUATION frames must follow immediately.
    private byte[] block = new byte[512];
    private int blockLength;
    private int blockFrames;
    private int blockStream;
    private boolean blockLast;

    /**
     * Creates one for a new connection.
     *
     * @param listener gets the frames, and says which of them are progress
     * @param keepsTexts true if heads have the text of their fields, which allocates
     */
    public FrameReader(Listener listener, boolean keepsTexts) {
        this.listener = listener;
        this.budget = listener.budget();
        this.blocks = new HeaderBlockReader(keepsTexts);
    }

    /** Continues reading, unless it was stopped. */
    public void read(ByteBuf bytes) throws Http2Exception {
        if (rest == null) {
            parse(bytes);
            if (bytes.isReadable() && !stopped) {
                rest = Unpooled.buffer(2 * bytes.readableBytes()).writeBytes(bytes);
            }
            return;
        }
        rest.writeBytes(bytes);
        parse(rest);
        if (!stopped && rest.isReadable()) {
            rest.discardReadBytes();
        } else {
            rest.release();
            rest = null;
        }
    }

    /** Whether the input began like HTTP/2. */
    public boolean begun() {
        return begun;
    }

    /** Ignores all further input; may be called while it reads. */
    public void stop() {
        stopped = true;
    }

    private void parse(ByteBuf bytes) throws Http2Exception {
        while (!stopped) {
            if (inData) {
                if (!readData(bytes)) {
                    return;
                }
            } else if (!readFrame(bytes)) {
                return;
            }
        }
    }

    /** Returns {@code false} if it needs more bytes. */
    private boolean readFrame(ByteBuf bytes) throws Http2Exception {
        if (bytes.readableBytes() < HEADER) {
            return false;
        }
        int at = bytes.readerIndex();
        int length = bytes.getUnsignedMedium(at);
        type = bytes.getByte(at + 3);
        flags = bytes.getByte(at + 4);
        stream = bytes.getInt(at + 5) & Integer.MAX_VALUE;
        if (!begun && (type != SETTINGS || (flags & ACK) != 0)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "a beginning that isn't SETTINGS");
        }
        begun = true;
        if (length > MAX_FRAME) {
            throw new Http2Exception(Http2Error.FRAME_SIZE_ERROR, "a frame of %d bytes".formatted(length));
        }
        if (blockStream != 0 && (type != CONTINUATION || stream != blockStream)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "another frame within a header");
        }
        if (type == DATA) {
            return beginData(bytes, length);
        }
        if (bytes.readableBytes() < HEADER + length) {
            return false;
        }
        spend();
        bytes.skipBytes(HEADER);
        int next = bytes.readerIndex() + length;
        payload(bytes, length);
        bytes.readerIndex(next);
        return true;
    }

    private void spend() throws Http2Exception {
        if (budget.exceeded()) {
            throw new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, ProgressBudget.reason("frames"));
        }
    }

    private boolean beginData(ByteBuf bytes, int length) throws Http2Exception {
        boolean padded = (flags & PADDED) != 0;
        if (bytes.readableBytes() < HEADER + (padded && length > 0 ? 1 : 0)) {
            return false;
        }
        requireStream(true);
        spend();
        bytes.skipBytes(HEADER);
        listener.overhead(stream, HEADER);
        contentLeft = length;
        paddingLeft = 0;
        inData = true;
        if (padded) {
            int padding = length == 0 ? 0 : bytes.readUnsignedByte();
            if (padding >= length) {
                throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "more padding than frame");
            }
            contentLeft = length - 1 - padding;
            paddingLeft = padding;
            listener.data(stream, bytes, 0, 1, false);
        }
        return true;
    }

    private boolean readData(ByteBuf bytes) throws Http2Exception {
        int content = Math.min(contentLeft, bytes.readableBytes());
        int padding = Math.min(paddingLeft, bytes.readableBytes() - content);
        contentLeft -= content;
        paddingLeft -= padding;
        boolean whole = contentLeft == 0 && paddingLeft == 0;
        if (content + padding > 0 || whole) {
            inData = !whole;
            boolean last = whole && (flags & END_STREAM) != 0;
            listener.data(stream, bytes, content, content + padding, last);
            bytes.skipBytes(content + padding);
        }
        return whole;
    }

    private void payload(ByteBuf bytes, int length) throws Http2Exception {
        switch (type) {
            case HEADERS -> headers(bytes, length);
            case CONTINUATION -> continuation(bytes, length);
            case PRIORITY -> {
                requireStream(true);
                requireLength(length == 5);
            }
            case RST_STREAM -> {
                requireStream(true);
                requireLength(length == 4);
                listener.overhead(stream, HEADER + length);
                listener.reset(stream, bytes.readUnsignedInt());
            }
            case SETTINGS -> settings(bytes, length);
            case PUSH_PROMISE -> throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "PUSH_PROMISE");
            case PING -> {
                requireStream(false);
                requireLength(length == 8);
                if ((flags & ACK) == 0) {
                    listener.ping(bytes.readLong());
                }
            }
            case GOAWAY -> {
                requireStream(false);
                requireLength(length >= 8);
                listener.goAway(bytes.readInt() & Integer.MAX_VALUE, bytes.readUnsignedInt());
            }
            case WINDOW_UPDATE -> {
                requireLength(length == 4);
                listener.window(stream, bytes.readInt() & Integer.MAX_VALUE);
            }
            default -> {
                // Unknown frames must be ignored.
            }
        }
    }

    private void headers(ByteBuf bytes, int length) throws Http2Exception {
        requireStream(true);
        int before = (flags & PADDED) != 0 ? 1 : 0;
        int padding = before > 0 && length > 0 ? bytes.readUnsignedByte() : 0;
        if ((flags & WITH_PRIORITY) != 0) {
            before += 5;
            bytes.skipBytes(Math.min(5, bytes.readableBytes()));
        }
        if (before + padding > length) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "more padding than frame");
        }
        blockLength = 0;
        blockFrames = 0;
        blockStream = stream;
        blockLast = (flags & END_STREAM) != 0;
        append(bytes, length - before - padding, length);
    }

    private void continuation(ByteBuf bytes, int length) throws Http2Exception {
        if (blockStream == 0) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "CONTINUATION of nothing");
        }
        append(bytes, length, length);
    }

    private void append(ByteBuf bytes, int length, int framed) throws Http2Exception {
        listener.overhead(stream, HEADER + framed);
        if (blockLength + length > ResponseLimits.HEADER_BYTES || ++blockFrames > ResponseLimits.HEADERS) {
            throw new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, "Maximum header length exceeded");
        }
        if (blockLength + length > block.length) {
            block = Arrays.copyOf(block, 2 * (blockLength + length));
        }
        bytes.readBytes(block, blockLength, length);
        blockLength += length;
        if ((flags & END_HEADERS) != 0) {
            blockStream = 0;
            blocks.read(block, blockLength, head);
            listener.head(stream, head, blockLast);
        }
    }

    private void settings(ByteBuf bytes, int length) throws Http2Exception {
        requireStream(false);
        if ((flags & ACK) != 0) {
            requireLength(length == 0);
            return;
        }
        requireLength(length % 6 == 0);
        for (int left = length; left > 0; left -= 6) {
            listener.setting(bytes.readUnsignedShort(), bytes.readUnsignedInt());
        }
        listener.settingsEnd();
    }

    private void requireStream(boolean whether) throws Http2Exception {
        if (stream != 0 != whether) {
            throw new Http2Exception(
                    Http2Error.PROTOCOL_ERROR, "a frame of type %d for stream %d".formatted(type, stream));
        }
    }

    private void requireLength(boolean right) throws Http2Exception {
        if (!right) {
            throw new Http2Exception(
                    Http2Error.FRAME_SIZE_ERROR, "a frame of type %d with a wrong length".formatted(type));
        }
    }
}
