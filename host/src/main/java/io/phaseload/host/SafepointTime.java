package io.phaseload.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * For how long the JVM had stopped all its threads, for whatever reason: a number of the file in which HotSpot keeps
 * its performance data, for jstat. No bean that is public has it.
 */
final class SafepointTime implements Closeable {

    private static final String TIME = "sun.rt.safepointTime";
    private static final String FREQUENCY = "sun.os.hrt.frequency";

    private static final int MAGIC = 0xcafec0c0;
    private static final int MOST_BYTES = 1 << 20;

    private final Path path;
    private ByteBuffer data;
    private boolean failed;
    private int place;
    private long ticksPerSecond;

    SafepointTime(Path path) {
        this.path = path;
    }

    static SafepointTime ofThisJvm() {
        return new SafepointTime(Path.of(
                "/tmp/hsperfdata_" + System.getProperty("user.name"),
                Long.toString(ProcessHandle.current().pid())));
    }

    /** Since the JVM's start; empty if it doesn't have it. */
    Optional<Long> nanos() {
        return isOpen() ? Optional.of(ticksNanos()) : Optional.empty();
    }

    /** The same without an object; 0 if the JVM doesn't report it. */
    long ticksNanos() {
        if (!isOpen()) {
            return 0;
        }
        return Math.round((double) data.getLong(place) / ticksPerSecond * 1e9);
    }

    private boolean isOpen() {
        if (data == null && !failed) {
            try {
                open();
            } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
                failed = true;
                data = null;
            }
        }
        return data != null;
    }

    private void open() throws IOException {
        try (FileChannel file = FileChannel.open(path)) {
            // The JVM goes on writing to it.
            data = file.map(MapMode.READ_ONLY, 0, Math.min(MOST_BYTES, file.size()));
        }
        if (data.getInt(0) != MAGIC) {
            throw new IOException(path + " has another format");
        }
        data.order(data.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        place = place(data, TIME);
        ticksPerSecond = data.getLong(place(data, FREQUENCY));
        if (ticksPerSecond <= 0) {
            throw new IOException(path + " has no frequency");
        }
        if (place < 0 || place > data.limit() - Long.BYTES) {
            throw new IOException(path + " ends before its value");
        }
    }

    /** Where the value of a counter is: entries have lengths, and places of names and of values. */
    private static int place(ByteBuffer data, String name) throws IOException {
        int entry = data.getInt(24);
        int entries = data.getInt(28);
        byte[] wanted = (name + "\0").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < entries; i++) {
            int length = data.getInt(entry);
            int begin = entry + data.getInt(entry + 4);
            if (length <= 0) {
                break;
            }
            if (begin + wanted.length <= data.limit()
                    && data.slice(begin, wanted.length).equals(ByteBuffer.wrap(wanted))) {
                return entry + data.getInt(entry + 16);
            }
            entry += length;
        }
        throw new IOException("it has no " + name);
    }

    /** Lets go of the file; the next reading opens it again. */
    @Override
    public void close() {
        data = null;
    }
}
