package io.phaseload.websocket;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** Notes for one client, until they are sent. Thread-safe. */
final class SendQueue {

    private static final int MOST_BYTES = 1 << 20;

    private final LongSupplier clock;
    // Guarded by this.
    private final List<byte[]> batches = new ArrayList<>();
    private final ByteArrayOutputStream notes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(notes);
    private int phase;

    /**
     * An empty one.
     *
     * @param clock that this client shows to others
     */
    SendQueue(LongSupplier clock) {
        this.clock = clock;
    }

    /** Later messages are of another phase; the rest of the last phase is dropped. */
    synchronized void begin(int next) {
        batches.clear();
        notes.reset();
        phase = next;
    }

    /**
     * Adds a note.
     *
     * @param note made of the time, which is later for a note that is added later
     */
    synchronized void add(LongFunction<PeerNote> note) {
        try {
            note.apply(clock.getAsLong()).write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (notes.size() > MOST_BYTES) {
            close();
        }
    }

    /** Takes the batches that are to be sent; all of these notes, in order. */
    synchronized List<byte[]> take(boolean evenIfEmpty) {
        if (notes.size() > 0 || evenIfEmpty) {
            close();
        }
        List<byte[]> taken = List.copyOf(batches);
        batches.clear();
        return taken;
    }

    private void close() {
        batches.add(batch(phase, clock.getAsLong(), notes.toByteArray()));
        notes.reset();
    }

    /**
     * A batch.
     *
     * @param until the time when it was closed: what is noted later happened later
     */
    static byte[] batch(int phase, long until, byte[] notes) {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(batch)) {
            out.writeInt(phase);
            out.writeLong(until);
            out.write(notes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return batch.toByteArray();
    }
}
