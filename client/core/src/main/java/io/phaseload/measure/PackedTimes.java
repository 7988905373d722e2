package io.phaseload.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * A compact histogram in HdrHistogram's own encoding: it stores only counts that aren't zero, while
 * the histogram itself takes a quarter of a MiB.
 *
 * @param count the number of times in it
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
