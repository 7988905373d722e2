package io.phaseload.websocket;

import io.phaseload.run.Partners;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Notes between the clients of a run, of one phase after another. Those of a phase that hasn't begun here wait for it;
 * those of one that is over are forgotten. Thread-safe.
 *
 * <p>A batch has all notes since the one before it, and a time: what is noted later happened after that.
 */
final class PeerChannel implements Partners.Listener, AutoCloseable {

    private static final long BETWEEN_LETTERS_MILLIS = 20;

    /** The phase of a client whose run is over. */
    private static final int OVER = Integer.MAX_VALUE;

    /**
     * Reads the batches of a phase, one after another; returns soon. It is called with locks held that sending takes,
     * too: of {@link Partners}, it may call {@link Partners#here} alone.
     */
    interface Reader {

        /**
         * A batch.
         *
         * @param partner the client that wrote it
         * @param until the time up to which that client has told everything, by the clock it shows
         */
        void read(int partner, long until, List<PeerNote> notes);

        /** No more batches come from a client. */
        void gone(int partner);
    }

    private record NoteBatch(int partner, int phase, long until, List<PeerNote> notes) {}

    private final Partners partners;
    private final Placement placement;
    private final List<SendQueue> queues;
    private final ScheduledExecutorService senderThread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "phaseload-notes");
        thread.setDaemon(true);
        return thread;
    });
    // Held while batches are sent, so that they are sent in order; a send may wait.
    private final Object sending = new Object();
    // Guarded by this.
    private final List<NoteBatch> early = new ArrayList<>();
    private final Set<Integer> gone = new TreeSet<>();
    private Optional<Reader> reader = Optional.empty();
    private int phase = -1;
    private volatile Set<Integer> hosted = Set.of();

    /**
     * Begins to receive; batches are sent when a phase has begun.
     *
     * @throws IllegalArgumentException if there is no other client
     */
    PeerChannel(Partners partners) {
        this.partners = partners;
        this.placement = new Placement(partners.parts(), partners.own());
        this.queues = partners.parts().stream()
                .map(part -> new SendQueue(partners::now))
                .toList();
        partners.listen(this);
        senderThread.scheduleWithFixedDelay(
                this::send, BETWEEN_LETTERS_MILLIS, BETWEEN_LETTERS_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** {@return the time when something happened here that another client noted} */
    Partners.PartnerTime here(int partner, long there) {
        return partners.here(partner, there);
    }

    /** {@return the client of each end of a pair} */
    Placement placement() {
        return placement;
    }

    /**
     * Later notes are of another phase.
     *
     * @param index the phase's, more than that of the one before
     */
    void prepare(int index) {
        queues.forEach(queue -> queue.begin(index));
    }

    /**
     * Begins to read the batches of a phase.
     *
     * @param index as it was prepared
     * @param hosts the clients that get batches even if there are no notes
     */
    synchronized void begin(int index, Set<Integer> hosts, Reader of) {
        phase = index;
        hosted = Set.copyOf(hosts);
        reader = Optional.of(of);
        List<NoteBatch> waiting = List.copyOf(early);
        early.clear();
        waiting.forEach(this::read);
        gone.forEach(of::gone);
    }

    /** Ends the phase, and sends what is left to tell of it. */
    void end() {
        synchronized (this) {
            reader = Optional.empty();
        }
        hosted = Set.of();
        send();
    }

    /** Sends a note to another client, soon. */
    void add(int partner, LongFunction<PeerNote> note) {
        queues.get(partner).add(note);
    }

    private void send() {
        synchronized (sending) {
            for (int partner = 0; partner < queues.size(); partner++) {
                int to = partner;
                queues.get(partner).take(hosted.contains(partner)).forEach(batch -> partners.send(to, batch));
            }
        }
    }

    @Override
    public synchronized void received(int partner, byte[] message) {
        try {
            read(batch(partner, message));
        } catch (IOException e) {
            // Not a client of this version.
            gone(partner);
        }
    }

    private static NoteBatch batch(int partner, byte[] message) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(message))) {
            int phase = in.readInt();
            long until = in.readLong();
            List<PeerNote> notes = new ArrayList<>();
            while (in.available() > 0) {
                notes.add(PeerNote.read(in));
            }
            return new NoteBatch(partner, phase, until, notes);
        }
    }

    private synchronized void read(NoteBatch batch) {
        if (batch.phase == OVER) {
            gone(batch.partner);
        } else if (batch.phase > phase) {
            early.add(batch);
        } else if (batch.phase == phase) {
            reader.ifPresent(of -> of.read(batch.partner, batch.until, batch.notes));
        }
    }

    @Override
    public synchronized void gone(int partner) {
        if (gone.add(partner)) {
            reader.ifPresent(of -> of.gone(partner));
        }
    }

    /** Reports to all others that no more batches come from this client. */
    @Override
    public void close() {
        senderThread.shutdownNow();
        byte[] last = SendQueue.batch(OVER, partners.now(), new byte[0]);
        for (int partner = 0; partner < queues.size(); partner++) {
            if (partner != partners.own()) {
                partners.send(partner, last);
            }
        }
    }
}
