package io.phaseload.websocket;

import io.phaseload.measure.Outcome;
import io.phaseload.run.Partners;
import java.util.function.Consumer;

/** A receiver on another client, as its sender knows it. Owned by the sender's loop. */
final class FarReceiver implements Connection {

    private static final String AGENT_GONE = "gone with its agent";

    /** Is told what happens to it, in the loop's thread. */
    interface Listener {

        void openedThere();

        /** It couldn't be opened. */
        void failed(Outcome outcome);

        /** It was open. */
        void closed(String why);

        /** It received a message, at a time by this client's clock. */
        void receivedThere(Note.Message message, Partners.Time at);
    }

    private enum State {
        CLOSED,
        OPENING,
        OPEN
    }

    private final Consumer<Note.Kind> there;
    private final Listener listener;
    private State state = State.CLOSED;

    /**
     * A receiver that isn't open.
     *
     * @param there asks its client for something
     */
    FarReceiver(Consumer<Note.Kind> there, Listener listener) {
        this.there = there;
        this.listener = listener;
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    @Override
    public void open() {
        state = State.OPENING;
        there.accept(Note.Kind.OPEN);
    }

    /** Its client said something of it. */
    void heard(Note note) {
        if (note.kind() == Note.Kind.OPENED && state == State.OPENING) {
            state = State.OPEN;
            listener.openedThere();
        } else if (note.kind() == Note.Kind.FAILED || note.kind() == Note.Kind.CLOSED) {
            end(note.why());
        }
    }

    /** It received a message. */
    void received(Note.Message message, Partners.Time at) {
        listener.receivedThere(message, at);
    }

    /** Its client is gone. */
    void gone() {
        end(AGENT_GONE);
    }

    private void end(String why) {
        State before = state;
        state = State.CLOSED;
        if (before == State.OPEN) {
            listener.closed(why);
        } else if (before == State.OPENING) {
            listener.failed(new Outcome.MessageLost("receiver " + why, false));
        }
    }

    /** Its own client pings it. */
    @Override
    public void ping() {}

    /** Its own client closes it, at the phase's end. */
    @Override
    public void close() {
        state = State.CLOSED;
    }
}
