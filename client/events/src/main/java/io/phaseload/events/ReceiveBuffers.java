package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * Gives all connections of a loop one buffer to receive into, where a transport fills it and hands
 * it on at once; with io_uring the system holds it while a connection waits, so each has its own.
 * Used by the loop's thread alone.
 */
@SuppressWarnings(
        "deprecation") // Netty has nothing in the place of RecvByteBufAllocator.Handle yet.
final class ReceiveBuffers implements RecvByteBufAllocator {

    private static final int SHARED = 64 << 10;
    private static final int OWN = 2 << 10;

    private final boolean shared;
    private final ByteBuf memory;
    private final ByteBuf buffer;
    private final FixedRecvByteBufAllocator ownSizes = new FixedRecvByteBufAllocator(OWN);

    ReceiveBuffers(boolean shared) {
        this.shared = shared;
        this.memory = shared ? Unpooled.directBuffer(SHARED, SHARED) : Unpooled.EMPTY_BUFFER;
        this.buffer = Unpooled.unreleasableBuffer(memory);
    }

    void close() {
        memory.release();
    }

    @Override
    public Handle newHandle() {
        return shared ? new SharedHandle() : ownSizes.newHandle();
    }

    /** Reads until less comes than there is room for. */
    private final class SharedHandle implements ExtendedHandle {

        private int attempted;
        private int last;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return buffer.clear();
        }

        @Override
        public int guess() {
            return SHARED;
        }

        @Override
        public void reset(io.netty.channel.ChannelConfig config) {
            last = 0;
            attempted = 0;
        }

        @Override
        public void incMessagesRead(int messages) {}

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
            return last > 0 && last == attempted;
        }

        @Override
        public boolean continueReading(io.netty.util.UncheckedBooleanSupplier maybeMore) {
            return last > 0 && maybeMore.get();
        }

        @Override
        public void readComplete() {}
    }
}
