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
 * <p>A letter has all notes since the one before it, and a time: what is noted later happened after that.
 */
final class Mail implements Partners.Listener, AutoCloseable {

    private static final long BETWEEN_LETTERS_MILLIS = 20;

    /** The phase of a client whose run is over. */
    private static final int OVER = Integer.MAX_VALUE;

    /**
     * Reads the letters of a phase, one after another; returns soon. It is called with locks held that sending takes,
     * too: of {@link Partners}, it may call {@link Partners#here} alone.
     */
    interface Reader {

        /**
         * A letter.
         *
         * @param partner the client that wrote it
         * @param until the time up to which that client has told everything, by the clock it shows
         */
        void read(int partner, long until, List<Note> notes);

        /** No more letters come of a client. */
        void gone(int partner);
    }

    private record Letter(int partner, int phase, long until, List<Note> notes) {}

    private final Partners partners;
    private final Placement placement;
    private final List<Outbox> outboxes;
    private final ScheduledExecutorService postman = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "phaseload-mail");
        thread.setDaemon(true);
        return thread;
    });
    // Held while letters are sent, so that they are sent in order; a send may wait.
    private final Object sending = new Object();
    // Guarded by this.
    private final List<Letter> early = new ArrayList<>();
    private final Set<Integer> gone = new TreeSet<>();
    private Optional<Reader> reader = Optional.empty();
    private int phase = -1;
    private volatile Set<Integer> hosted = Set.of();

    /**
     * Begins to listen; letters go when a phase has begun.
     *
     * @throws IllegalArgumentException if there is no other client
     */
    Mail(Partners partners) {
        this.partners = partners;
        this.placement = new Placement(partners.parts(), partners.own());
        this.outboxes =
                partners.parts().stream().map(part -> new Outbox(partners::now)).toList();
        partners.listen(this);
        postman.scheduleWithFixedDelay(
                this::send, BETWEEN_LETTERS_MILLIS, BETWEEN_LETTERS_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** {@return the time when something happened here that another client noted} */
    Partners.Time here(int partner, long there) {
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
        outboxes.forEach(outbox -> outbox.begin(index));
    }

    /**
     * Begins to read the letters of a phase.
     *
     * @param index as it was prepared
     * @param hosts the clients that get letters even if there is nothing to tell
     */
    synchronized void begin(int index, Set<Integer> hosts, Reader of) {
        phase = index;
        hosted = Set.copyOf(hosts);
        reader = Optional.of(of);
        List<Letter> waiting = List.copyOf(early);
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

    /** Tells another client something, soon. */
    void add(int partner, LongFunction<Note> note) {
        outboxes.get(partner).add(note);
    }

    private void send() {
        synchronized (sending) {
            for (int partner = 0; partner < outboxes.size(); partner++) {
                int to = partner;
                outboxes.get(partner).take(hosted.contains(partner)).forEach(letter -> partners.send(to, letter));
            }
        }
    }

    @Override
    public synchronized void heard(int partner, byte[] message) {
        try {
            read(letter(partner, message));
        } catch (IOException e) {
            // Not a client of this version.
            gone(partner);
        }
    }

    private static Letter letter(int partner, byte[] message) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(message))) {
            int phase = in.readInt();
            long until = in.readLong();
            List<Note> notes = new ArrayList<>();
            while (in.available() > 0) {
                notes.add(Note.read(in));
            }
            return new Letter(partner, phase, until, notes);
        }
    }

    private synchronized void read(Letter letter) {
        if (letter.phase == OVER) {
            gone(letter.partner);
        } else if (letter.phase > phase) {
            early.add(letter);
        } else if (letter.phase == phase) {
            reader.ifPresent(of -> of.read(letter.partner, letter.until, letter.notes));
        }
    }

    @Override
    public synchronized void gone(int partner) {
        if (gone.add(partner)) {
            reader.ifPresent(of -> of.gone(partner));
        }
    }

    /** Tells all others that no more letters come of this client. */
    @Override
    public void close() {
        postman.shutdownNow();
        byte[] last = Outbox.letter(OVER, partners.now(), new byte[0]);
        for (int partner = 0; partner < outboxes.size(); partner++) {
            if (partner != partners.own()) {
                partners.send(partner, last);
            }
        }
    }
}
