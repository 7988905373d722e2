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
final class RemoteEndpoints {

    /** A receiver, in any client. */
    private record RemoteEnd(long pair, int place) {}

    private final LoopContext context;
    private final Handshakes handshakes;
    private final PeerChannel peerChannel;
    private final Placement placement;
    private final Pair.Loop loop;
    private final Map<RemoteEnd, RemoteReceiver> receivers = new HashMap<>();
    private final Map<RemoteEnd, HostedReceiver> hostedReceivers = new HashMap<>();
    // By client: up to when it has told everything, by this client's clock.
    private final Map<Integer, Long> reportedUntil = new HashMap<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Messages messages;
    private final long startNanos = System.nanoTime();

    RemoteEndpoints(
            LoopContext context, Handshakes handshakes, PeerChannel peerChannel, Placement placement, Pair.Loop loop) {
        this.context = context;
        this.handshakes = handshakes;
        this.messages = handshakes.newMessages();
        this.peerChannel = peerChannel;
        this.placement = placement;
        this.loop = loop;
    }

    /** A receiver of a pair of this loop, on another client. */
    Connection receiver(long pair, int place, RemoteReceiver.Listener listener) {
        RemoteReceiver receiver = new RemoteReceiver(kind -> ask(new RemoteEnd(pair, place), kind), listener);
        receivers.put(new RemoteEnd(pair, place), receiver);
        return receiver;
    }

    private void ask(RemoteEnd end, PeerNote.NoteKind kind) {
        int client = placement.receivers(end.pair);
        if (gone.contains(client)) {
            context.execute(() -> receivers.get(end).gone());
        } else {
            peerChannel.add(client, now -> PeerNote.of(kind, end.pair, end.place, ""));
        }
    }

    /** Up to when it is known here what a pair's receivers got. */
    long reportedUntil(long pair, long now) {
        int client = placement.receivers(pair);
        long told = reportedUntil.getOrDefault(client, startNanos);
        return gone.contains(client) || told - now > 0 ? now : told;
    }

    /** A client reports receivers of this loop's pairs. */
    void received(int client, long until, List<PeerNote> notes) {
        for (PeerNote note : notes) {
            RemoteReceiver receiver = receivers.get(new RemoteEnd(note.pair(), note.place()));
            if (receiver != null && note.kind() == PeerNote.NoteKind.RECEIVED) {
                receiver.received(note.message(), peerChannel.here(client, note.at()));
            } else if (receiver != null) {
                receiver.received(note);
            }
        }
        reportedUntil.put(client, peerChannel.here(client, until).nanos());
    }

    /** A client wants a receiver to be opened. */
    void open(int client, PeerNote note) {
        hostedReceivers
                .computeIfAbsent(
                        new RemoteEnd(note.pair(), note.place()),
                        end -> new HostedReceiver(
                                context,
                                handshakes,
                                end.pair,
                                end.place,
                                messages,
                                loop,
                                told -> peerChannel.add(client, told)))
                .open();
    }

    /** Pings the receivers here. */
    void ping() {
        hostedReceivers.values().forEach(HostedReceiver::ping);
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
