package io.phaseload.originals.eventstore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A buffer that collects events until it is full. Its content is one entry of the log.
 *
 * @param disk true if the buffer is a file, which is forced to disk before its events are sent
 * @param bytes its size
 */
record BufferType(boolean disk, int bytes) {
    private static final Pattern NAME = Pattern.compile("(memory|disk)-([1-9]\\d{0,3})([km])");
    private static final int MOST_BYTES = 2 << 20;

    /** The type with a name such as {@code memory-64k} or {@code disk-1m}, of 1k to 2m. */
    static Optional<BufferType> of(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int bytes = Integer.parseInt(matcher.group(2)) << (matcher.group(3).equals("k") ? 10 : 20);
        return Optional.of(new BufferType(matcher.group(1).equals("disk"), bytes))
                .filter(type -> type.bytes > 0 && type.bytes <= MOST_BYTES);
    }

    ByteBuffer open(Path file) throws IOException {
        if (!disk) {
            return ByteBuffer.allocate(bytes);
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
    }
}
