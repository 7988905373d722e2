package io.phaseload.result.store;

import java.io.Closeable;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * Writes the lines of HdrHistogram's log as its own writer does, except that it neither copies a histogram, nor has a
 * new compressor for each, nor compresses as much as possible: a second of a run has hundreds of them. Not thread-safe.
 */
final class HistogramLog implements Closeable {

    /** Of HdrHistogram's compressed encoding, version 2. */
    private static final int COOKIE = 0x1c849314;

    private static final int HEAD = 2 * Integer.BYTES;

    private final PrintStream out;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private ByteBuffer plain = ByteBuffer.allocate(0);
    private byte[] packed = {};

    HistogramLog(PrintStream out) {
        this.out = out;
    }

    /**
     * Writes a line.
     *
     * @param start in seconds
     * @param end in seconds
     * @param unit the number of units of values that the line's maximum counts in
     */
    void write(String tag, double start, double end, Histogram values, double unit) {
        StringBuilder line = new StringBuilder("Tag=").append(tag);
        for (double number : new double[] {start, end - start, values.getMaxValue() / unit}) {
            long thousandths = Math.round(number * 1_000);
            // A formatter takes longer than all else.
            line.append(',').append(thousandths / 1_000).append('.');
            line.append(Long.toString(1_000 + thousandths % 1_000), 1, 4);
        }
        out.append(line.append(',')
                .append(Base64.getEncoder().encodeToString(encoded(values)))
                .append('\n'));
    }

    private byte[] encoded(Histogram values) {
        int most = values.getNeededByteBufferCapacity();
        if (plain.capacity() < most) {
            plain = ByteBuffer.allocate(most);
            packed = new byte[most + HEAD];
        }
        plain.clear();
        int length = values.encodeIntoByteBuffer(plain);
        deflater.reset();
        deflater.setInput(plain.array(), 0, length);
        deflater.finish();
        int compressed = deflater.deflate(packed, HEAD, packed.length - HEAD);
        ByteBuffer.wrap(packed).putInt(COOKIE).putInt(compressed);
        return Arrays.copyOf(packed, HEAD + compressed);
    }

    @Override
    public void close() {
        deflater.end();
    }
}
