package io.phaseload.host;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * For how long the JVM had stopped all its threads, for whatever reason: a number of the file in
 * which HotSpot keeps its performance data, for jstat. No bean that is public has it.
 */
final class SafepointTime implements Closeable {

    private static final String TIME = "sun.rt.safepointTime";
    private static final String FREQUENCY = "sun.os.hrt.frequency";

    private static final int MAGIC = 0xcafec0c0;
    private static final int MOST_BYTES = 1 << 20;

    private final Path path;
    private RandomAccessFile file;
    private ByteOrder order;
    private int place;
    private long ticksPerSecond;

    SafepointTime(Path path) {
        this.path = path;
    }

    static SafepointTime ofThisJvm() {
        return new SafepointTime(
                Path.of(
                        "/tmp/hsperfdata_" + System.getProperty("user.name"),
                        Long.toString(ProcessHandle.current().pid())));
    }

    /** Since the JVM's start; empty if it doesn't tell. */
    Optional<Long> nanos() {
        try {
            if (file == null) {
                open();
            }
            file.seek(place);
            byte[] ticks = new byte[Long.BYTES];
            file.readFully(ticks);
            double seconds =
                    (double) ByteBuffer.wrap(ticks).order(order).getLong() / ticksPerSecond;
            return Optional.of(Math.round(seconds * 1e9));
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
            close();
            return Optional.empty();
        }
    }

    private void open() throws IOException {
        file = new RandomAccessFile(path.toFile(), "r");
        byte[] bytes = new byte[(int) Math.min(MOST_BYTES, file.length())];
        file.readFully(bytes);
        ByteBuffer data = ByteBuffer.wrap(bytes);
        if (data.getInt(0) != MAGIC) {
            throw new IOException(path + " has another format");
        }
        order = data.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        data.order(order);
        place = place(data, TIME);
        ticksPerSecond = data.getLong(place(data, FREQUENCY));
        if (ticksPerSecond <= 0) {
            throw new IOException(path + " has no frequency");
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

    @Override
    public void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // Nothing was written.
            }
            file = null;
        }
    }
}
