package io.phaseload.websocket;

import io.phaseload.measure.Outcome;
import io.phaseload.run.Partners;
import java.util.function.Consumer;

/** A receiver on another client, as its sender knows it. Owned by the sender's loop. */
final class RemoteReceiver implements Connection {

    private static final String AGENT_GONE = "gone with its agent";

    /** Is told what happens to it, in the loop's thread. */
    interface Listener {

        void openedThere();

        /** It couldn't be opened. */
        void failed(Outcome outcome);

        /** It was open. */
        void closed(String why);

        /** It received a message, at a time by this client's clock. */
        void receivedThere(PeerNote.Receipt message, Partners.PartnerTime at);
    }

    private enum ReceiverState {
        CLOSED,
        OPENING,
        OPEN
    }

    private final Consumer<PeerNote.NoteKind> there;
    private final Listener listener;
    private ReceiverState state = ReceiverState.CLOSED;

    /**
     * A receiver that isn't open.
     *
     * @param there asks its client for something
     */
    RemoteReceiver(Consumer<PeerNote.NoteKind> there, Listener listener) {
        this.there = there;
        this.listener = listener;
    }

    @Override
    public boolean isOpen() {
        return state == ReceiverState.OPEN;
    }

    @Override
    public boolean isClosed() {
        return state == ReceiverState.CLOSED;
    }

    @Override
    public void open() {
        state = ReceiverState.OPENING;
        there.accept(PeerNote.NoteKind.OPEN);
    }

    /** Its client said something of it. */
    void received(PeerNote note) {
        if (note.kind() == PeerNote.NoteKind.OPENED && state == ReceiverState.OPENING) {
            state = ReceiverState.OPEN;
            listener.openedThere();
        } else if (note.kind() == PeerNote.NoteKind.FAILED || note.kind() == PeerNote.NoteKind.CLOSED) {
            end(note.why());
        }
    }

    /** It received a message. */
    void received(PeerNote.Receipt message, Partners.PartnerTime at) {
        listener.receivedThere(message, at);
    }

    /** Its client is gone. */
    void gone() {
        end(AGENT_GONE);
    }

    private void end(String why) {
        ReceiverState before = state;
        state = ReceiverState.CLOSED;
        if (before == ReceiverState.OPEN) {
            listener.closed(why);
        } else if (before == ReceiverState.OPENING) {
            listener.failed(new MessageLost("receiver " + why, false));
        }
    }

    /** Its own client pings it. */
    @Override
    public void ping() {}

    /** Its own client closes it, at the phase's end. */
    @Override
    public void close() {
        state = ReceiverState.CLOSED;
    }
}
