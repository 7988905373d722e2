package io.phaseload.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The time that one thread lost: ready to run, it waited for a CPU ({@code schedstat} of Linux), or the JVM had stopped
 * it. A reading is one system call and allocates nothing. Used by that thread alone.
 */
public final class LostTime implements Closeable {

    /** Longer than three numbers of 64 bits. */
    private static final int MOST_BYTES = 80;

    /** Opened before any thread reads it, and never closed. */
    private static final SafepointTime SAFEPOINTS = SafepointTime.ofThisJvm();

    static {
        SAFEPOINTS.ticksNanos();
    }

    private final ByteBuffer text = ByteBuffer.allocateDirect(MOST_BYTES);
    private Optional<FileChannel> file;
    private long waitedNanos;
    private long turn;
    private long lostNanos;
    private long lostBeforeTurnNanos;

    private LostTime(Optional<FileChannel> file) {
        this.file = file;
        read();
    }

    /**
     * Opens the file of the calling thread, which must be a platform thread.
     *
     * @return a meter that only knows the JVM's stops where the system has no such file
     */
    public static LostTime ofThisThread() {
        return of(Path.of("/proc/thread-self/schedstat"));
    }

    static LostTime of(Path file) {
        return new LostTime(open(file));
    }

    private static Optional<FileChannel> open(Path path) {
        try {
            return Optional.of(FileChannel.open(path));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads the time lost so far.
     *
     * @return in nanoseconds; only differences mean something
     */
    public long read() {
        long now = waited() + SAFEPOINTS.ticksNanos();
        lostNanos = Math.max(lostNanos, now);
        return lostNanos;
    }

    /**
     * The time lost at the last reading before the thread got the CPU that it has had at the latest reading. Data that
     * arrived since can't have been delayed by more than the difference: the thread looks at everything that has
     * arrived before it sleeps again.
     *
     * @return in nanoseconds, at most the latest reading
     */
    public long beforeTurn() {
        return lostBeforeTurnNanos;
    }

    private long waited() {
        if (file.isEmpty()) {
            return 0;
        }
        text.clear();
        try {
            file.get().read(text, 0);
        } catch (IOException e) {
            // The thread was interrupted, which closes the file: the phase is being given up.
            close();
            return waitedNanos;
        }
        text.flip();
        number();
        waitedNanos = number();
        long current = number();
        if (current != turn) {
            turn = current;
            lostBeforeTurnNanos = lostNanos;
        }
        return waitedNanos;
    }

    /** The next number of the text; 0 at its end. */
    private long number() {
        long number = 0;
        while (text.hasRemaining()) {
            byte digit = text.get();
            if (digit < '0' || digit > '9') {
                break;
            }
            number = number * 10 + digit - '0';
        }
        return number;
    }

    /** Closes the file. */
    @Override
    public void close() {
        if (file.isPresent()) {
            try {
                file.get().close();
            } catch (IOException e) {
                // Nothing was written.
            }
            file = Optional.empty();
        }
    }
}
