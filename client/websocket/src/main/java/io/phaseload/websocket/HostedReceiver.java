package io.phaseload.websocket;

import io.phaseload.events.connection.LoopContext;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.timing.MessageTimings;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** A receiver here that reports to its sender on another client. Owned by one loop. */
final class HostedReceiver implements Peer.Listener {

    private final long pair;
    private final int place;
    private final Pair.Loop loop;
    private final Consumer<LongFunction<PeerNote>> sender;
    private final Peer peer;

    /**
     * A receiver that isn't open.
     *
     * @param messages reads those that come
     * @param loop receives the connections that are made
     * @param sender gets notes of what happens
     */
    HostedReceiver(
            LoopContext context,
            Handshakes handshakes,
            long pair,
            int place,
            Messages messages,
            Pair.Loop loop,
            Consumer<LongFunction<PeerNote>> sender) {
        this.pair = pair;
        this.place = place;
        this.loop = loop;
        this.sender = sender;
        this.peer = new Peer(context, handshakes, messages, pair, place, this);
    }

    void open() {
        if (peer.isClosed()) {
            peer.open();
        }
    }

    void ping() {
        peer.ping();
    }

    private void report(PeerNote.NoteKind kind, String why) {
        sender.accept(now -> PeerNote.of(kind, pair, place, why));
    }

    @Override
    public void opened(SetUp setUp, long handshakeNanos) {
        loop.connected(setUp, handshakeNanos);
        report(PeerNote.NoteKind.OPENED, "");
    }

    @Override
    public void failed(Outcome outcome) {
        report(
                PeerNote.NoteKind.FAILED,
                outcome instanceof MessageLost lost
                        ? lost.reason()
                        : "not connected, " + outcome.cause().key());
    }

    @Override
    public void closed(String why) {
        report(PeerNote.NoteKind.CLOSED, why);
    }

    @Override
    public void refused(String why) {
        // Its messages are late or lost at their sender.
    }

    @Override
    public void ignored() {
        loop.received(MessageTimings.IGNORED, 0);
    }

    @Override
    public void received(Messages.Head head) {
        if (head.pair() == pair) {
            sender.accept(now -> PeerNote.received(place, head, now));
        }
    }

    @Override
    public void writable() {
        // It sends nothing.
    }
}
