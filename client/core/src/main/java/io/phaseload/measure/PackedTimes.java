package io.phaseload.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * A histogram at rest, in HdrHistogram's own encoding: the counts that aren't zero, where the
 * histogram itself has room for all that there could be, a quarter of a MiB.
 *
 * @param count how many times are in it
 * @param bytes the encoding
 */
record PackedTimes(long count, byte[] bytes) {

    static PackedTimes of(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoByteBuffer(buffer);
        return new PackedTimes(histogram.getTotalCount(), Arrays.copyOf(buffer.array(), length));
    }

    Histogram histogram() {
        return Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0);
    }
}
