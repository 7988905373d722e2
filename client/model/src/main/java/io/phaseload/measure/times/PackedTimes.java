package io.phaseload.measure.times;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * A compact histogram in HdrHistogram's own encoding: it stores only counts that aren't zero, while the histogram
 * itself takes a quarter of a MiB.
 *
 * @param count the number of times in it
 * @param bytes the encoding
 */
record PackedTimes(long count, byte[] bytes) {

    // Of HdrHistogram's encoding, version 2: where the length of the counts is, the digits, the
    // lowest value, and the counts. A count that is negative stands for so many that are zero.
    private static final int LENGTH_AT = 4;
    private static final int DIGITS_AT = 12;
    private static final int LOWEST_AT = 16;
    private static final int COUNTS_AT = 40;

    static PackedTimes of(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoByteBuffer(buffer);
        return new PackedTimes(histogram.getTotalCount(), Arrays.copyOf(buffer.array(), length));
    }

    Histogram histogram() {
        return Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0);
    }

    /**
     * Adds these times without making a histogram of them: that takes longer than all else, where thousands of seconds
     * are added.
     */
    void addTo(Histogram sum) {
        if (hasUsualPlaces()) {
            each((place, count) -> sum.recordValueWithCount(Times.lowestAt(place), count));
        } else {
            sum.add(histogram());
        }
    }

    /** Adds these times to a sum of others that {@link #hasUsualPlaces()}, too. */
    void addTo(PlaceCounts sum) {
        each(sum::add);
    }

    /** Whether a place stands for {@link Times#lowestAt}. */
    boolean hasUsualPlaces() {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return in.getInt(DIGITS_AT) == Times.DIGITS && in.getLong(LOWEST_AT) == 1;
    }

    private interface Counted {
        void at(int place, long count);
    }

    private void each(Counted counted) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int end = COUNTS_AT + in.getInt(LENGTH_AT);
        in.position(COUNTS_AT);
        int place = 0;
        while (in.position() < end) {
            long count = next(in);
            if (count < 0) {
                place -= (int) count;
            } else {
                counted.at(place++, count);
            }
        }
    }

    /** ZigZag in seven bits a byte, the lowest first; a ninth byte has eight. */
    private static long next(ByteBuffer in) {
        long bits = 0;
        for (int shift = 0; ; shift += 7) {
            long part = in.get();
            if (part >= 0 || shift == 56) {
                bits |= part << shift;
                return (bits >>> 1) ^ -(bits & 1);
            }
            bits |= (part & 0x7F) << shift;
        }
    }
}
