package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * Gives all connections of a loop the same receive buffer: a transport fills it and passes it on at once. Used only by
 * the loop's thread. A turn of a connection is bounded; then timers and other connections have theirs.
 */
@SuppressWarnings("deprecation") // Netty has no replacement for RecvByteBufAllocator.Handle yet.
public final class ReceiveBuffers implements RecvByteBufAllocator {

    private static final int SIZE = 64 << 10;

    private static final int READS_A_TURN = 4;

    private final ByteBuf memory = Unpooled.directBuffer(SIZE, SIZE);
    private final ByteBuf buffer = Unpooled.unreleasableBuffer(memory);

    ReceiveBuffers() {}

    /**
     * The same bound for a connection whose handlers keep what they get, so that it can't share a buffer.
     *
     * @return an allocator of new buffers, as large as the reads before suggest
     */
    public static RecvByteBufAllocator ofItsOwn() {
        return new AdaptiveRecvByteBufAllocator(64, 512, SIZE).maxMessagesPerRead(READS_A_TURN);
    }

    void close() {
        memory.release();
    }

    @Override
    public Handle newHandle() {
        return new SharedHandle();
    }

    /** Reads until less arrives than there is room for, or its turn is over. */
    private final class SharedHandle implements ExtendedHandle {

        private int reads;
        private int attempted;
        private int last;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return buffer.clear();
        }

        @Override
        public int guess() {
            return SIZE;
        }

        @Override
        public void reset(io.netty.channel.ChannelConfig config) {
            reads = 0;
            last = 0;
            attempted = 0;
        }

        @Override
        public void incMessagesRead(int messages) {
            reads += messages;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return reads < READS_A_TURN && last > 0 && last == attempted;
        }

        @Override
        public boolean continueReading(io.netty.util.UncheckedBooleanSupplier maybeMore) {
            return reads < READS_A_TURN && last > 0 && maybeMore.get();
        }

        @Override
        public void readComplete() {}
    }
}
