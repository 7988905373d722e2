package io.phaseload.websocket;

import io.phaseload.events.connection.LoopContext;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The connections of a loop to other clients: receivers there of its pairs, and receivers here of theirs. Used by the
 * loop's thread alone.
 */
final class FarEnds {

    /** A receiver, in any client. */
    private record End(long pair, int place) {}

    private final LoopContext context;
    private final Handshakes handshakes;
    private final Mail mail;
    private final Placement placement;
    private final Pair.Loop loop;
    private final Map<End, FarReceiver> receivers = new HashMap<>();
    private final Map<End, Guest> guests = new HashMap<>();
    // By client: up to when it has told everything, by this client's clock.
    private final Map<Integer, Long> toldUntil = new HashMap<>();
    private final Set<Integer> gone = new HashSet<>();
    // Only their heads are read.
    private final Messages messages = new Messages(64);
    private final long startNanos = System.nanoTime();

    FarEnds(LoopContext context, Handshakes handshakes, Mail mail, Placement placement, Pair.Loop loop) {
        this.context = context;
        this.handshakes = handshakes;
        this.mail = mail;
        this.placement = placement;
        this.loop = loop;
    }

    /** A receiver of a pair of this loop, on another client. */
    Connection receiver(long pair, int place, FarReceiver.Listener listener) {
        FarReceiver receiver = new FarReceiver(kind -> ask(new End(pair, place), kind), listener);
        receivers.put(new End(pair, place), receiver);
        return receiver;
    }

    private void ask(End end, Note.Kind kind) {
        int client = placement.receivers(end.pair);
        if (gone.contains(client)) {
            context.execute(() -> receivers.get(end).gone());
        } else {
            mail.add(client, now -> Note.of(kind, end.pair, end.place, ""));
        }
    }

    /** Up to when it is known here what a pair's receivers got. */
    long toldUntil(long pair, long now) {
        int client = placement.receivers(pair);
        long told = toldUntil.getOrDefault(client, startNanos);
        return gone.contains(client) || told - now > 0 ? now : told;
    }

    /** A client reports receivers of this loop's pairs. */
    void heard(int client, long until, List<Note> notes) {
        for (Note note : notes) {
            FarReceiver receiver = receivers.get(new End(note.pair(), note.place()));
            if (receiver != null && note.kind() == Note.Kind.RECEIVED) {
                receiver.received(note.message(), mail.here(client, note.at()));
            } else if (receiver != null) {
                receiver.heard(note);
            }
        }
        toldUntil.put(client, mail.here(client, until).nanos());
    }

    /** A client wants a receiver to be opened. */
    void open(int client, Note note) {
        guests.computeIfAbsent(
                        new End(note.pair(), note.place()),
                        end -> new Guest(
                                context,
                                handshakes,
                                end.pair,
                                end.place,
                                messages,
                                loop,
                                told -> mail.add(client, told)))
                .open();
    }

    /** Pings the receivers here. */
    void ping() {
        guests.values().forEach(Guest::ping);
    }

    void gone(int client) {
        gone.add(client);
        receivers.forEach((end, receiver) -> {
            if (placement.receivers(end.pair) == client) {
                receiver.gone();
            }
        });
    }
}
