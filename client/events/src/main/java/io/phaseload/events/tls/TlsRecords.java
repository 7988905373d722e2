package io.phaseload.events.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;

/** TLS's records as they come. */
final class TlsRecords {

    /** Type, version, length. */
    private static final int HEADER = 5;

    private static final int LENGTH_AT = 3;

    private TlsRecords() {}

    /**
     * Adds what was received to what is left of before. Whole records are handed on as they are;
     * parts of one are copied, since the next bytes are received in the same place.
     */
    static ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf before, ByteBuf received) {
        if (before.isReadable()) {
            return ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, before, received);
        }
        before.release();
        if (areWhole(received)) {
            return received;
        }
        return allocator.directBuffer(received.readableBytes()).writeBytes(received);
    }

    private static boolean areWhole(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at + HEADER <= end) {
            at += HEADER + bytes.getUnsignedShort(at + LENGTH_AT);
        }
        return at == end;
    }
}
