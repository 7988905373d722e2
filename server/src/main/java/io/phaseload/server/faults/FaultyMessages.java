package io.phaseload.server.faults;

import java.time.Duration;

/**
 * The messages of one connection, with the faults that its query requests. For use by one thread at a time.
 *
 * @param <M> a whole message
 */
public final class FaultyMessages<M> {

    private final MessageFaults faults;
    private final Room<M> room;
    private long received;
    private M held;

    /**
     * The room to which the messages go.
     *
     * @param <M> a whole message
     */
    public interface Room<M> {

        /** Delivers a message. */
        void deliver(M message);

        /** Delivers a message once more; it isn't received a second time. */
        void repeat(M message);

        /** Counts a message that isn't delivered. */
        void lose();

        /** Reads nothing for a while. */
        void sleep(Duration time);

        /** Closes the connection. */
        void close(int code, String reason);
    }

    public FaultyMessages(MessageFaults faults, Room<M> room) {
        this.faults = faults;
        this.room = room;
    }

    /** Takes a message that arrived. */
    public void accept(M message) {
        received++;
        if (received == faults.after()) {
            room.sleep(faults.stall());
        }
        if (faults.isLost(received)) {
            room.lose();
        } else if (faults.isSwapped(received) && held == null) {
            held = message;
            // Its successor sends it.
            return;
        } else {
            room.deliver(message);
            if (faults.isRepeated(received)) {
                room.repeat(message);
            }
        }
        deliverHeld();
        if (received == faults.after() && faults.close() > 0) {
            room.close(faults.close(), "after " + faults.after());
        }
    }

    /** Delivers a message that waits for its successor, if there is one. */
    public void deliverHeld() {
        if (held != null) {
            M late = held;
            held = null;
            room.deliver(late);
        }
    }
}
