package io.phaseload.events.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.UncheckedBooleanSupplier;
import org.junit.jupiter.api.Test;

/** However much a server sends, a connection's turn ends. */
@SuppressWarnings("deprecation") // As in ReceiveBuffers.
class ReceiveBuffersTest {

    private static final int LIMIT = 256 << 10;

    @Test
    void aTurnOfTheSharedBufferIsBounded() {
        ReceiveBuffers buffers = new ReceiveBuffers();
        assertThat(bytesOfLongestTurn(buffers)).isEqualTo(LIMIT);
        buffers.close();
    }

    @Test
    void aTurnOfOwnBuffersIsBounded() {
        assertThat(bytesOfLongestTurn(ReceiveBuffers.ofItsOwn())).isEqualTo(LIMIT);
    }

    /** Each read fills its buffer, as in a flood. */
    private static long bytesOfLongestTurn(RecvByteBufAllocator allocator) {
        RecvByteBufAllocator.ExtendedHandle handle = (RecvByteBufAllocator.ExtendedHandle) allocator.newHandle();
        EmbeddedChannel channel = new EmbeddedChannel();
        UncheckedBooleanSupplier more = () -> true;
        long longest = 0;
        for (int turn = 0; turn < 50; turn++) {
            handle.reset(channel.config());
            long bytes = 0;
            do {
                ByteBuf buffer = handle.allocate(UnpooledByteBufAllocator.DEFAULT);
                int length = buffer.writableBytes();
                handle.attemptedBytesRead(length);
                handle.lastBytesRead(length);
                handle.incMessagesRead(1);
                bytes += length;
                buffer.release();
            } while (handle.continueReading(more) && bytes < 100 * LIMIT);
            handle.readComplete();
            longest = Math.max(longest, bytes);
        }
        return longest;
    }
}
