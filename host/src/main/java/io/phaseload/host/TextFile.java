package io.phaseload.host;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** A file that is opened once and read whole again and again, as the kernel makes it up. */
final class TextFile implements Closeable {

    private final Path path;
    // Not a channel: it would be closed by an interrupt of the thread that reads.
    private RandomAccessFile file;
    private byte[] buffer = new byte[4_096];
    private Optional<String> problem = Optional.empty();

    TextFile(Path path) {
        this.path = path;
    }

    /** Its text; empty if it can't be read. */
    Optional<String> read() {
        try {
            if (file == null) {
                file = new RandomAccessFile(path.toFile(), "r");
            }
            file.seek(0);
            int length = 0;
            int read;
            while ((read = file.read(buffer, length, buffer.length - length)) > 0) {
                length += read;
                if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * length);
                }
            }
            problem = Optional.empty();
            return Optional.of(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            problem = Optional.of(e.getMessage());
            close();
            return Optional.empty();
        }
    }

    /** Why it couldn't be read the last time, if so. */
    Optional<String> problem() {
        return problem;
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
