package io.phaseload.websocket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A message between clients about a pair with an end on each of them.
 *
 * @param pair the pair's number
 * @param place the receiver's place in its pair, from 1
 * @param message the message that was received; else nothing of it counts
 * @param at the time when it was received, by the clock that the receiver's client shows
 * @param why a connection isn't open
 */
record PeerNote(NoteKind kind, long pair, int place, Receipt message, long at, String why) {

    private static final Receipt NONE = new Receipt(0, 0);

    /**
     * A message.
     *
     * @param sequence its number in its pair
     * @param dueNanos the time when it was due, by the sender's clock
     */
    record Receipt(long sequence, long dueNanos) {}

    enum NoteKind {
        /** The sender's client wants a receiver to be opened. */
        OPEN,
        /** All messages of the sender's client have ended, of all its pairs. */
        DONE,
        /** The receiver is open. */
        OPENED,
        /** It couldn't be opened. */
        FAILED,
        /** It isn't open any more. */
        CLOSED,
        /** It received a message. */
        RECEIVED
    }

    static PeerNote done() {
        return of(NoteKind.DONE, 0, 0, "");
    }

    static PeerNote of(NoteKind kind, long pair, int place, String why) {
        return new PeerNote(kind, pair, place, NONE, 0, why);
    }

    static PeerNote received(int place, Messages.Head head, long at) {
        Receipt message = new Receipt(head.sequence(), head.intendedNanos());
        return new PeerNote(NoteKind.RECEIVED, head.pair(), place, message, at, "");
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(kind.ordinal());
        out.writeLong(pair);
        out.writeByte(place);
        if (kind == NoteKind.RECEIVED) {
            out.writeLong(message.sequence);
            out.writeLong(message.dueNanos);
            out.writeLong(at);
        } else {
            out.writeUTF(why);
        }
    }

    static PeerNote read(DataInputStream in) throws IOException {
        int ordinal = in.readUnsignedByte();
        if (ordinal >= NoteKind.values().length) {
            throw new IOException("note of kind " + ordinal);
        }
        NoteKind kind = NoteKind.values()[ordinal];
        long pair = in.readLong();
        int place = in.readUnsignedByte();
        return kind == NoteKind.RECEIVED
                ? new PeerNote(kind, pair, place, new Receipt(in.readLong(), in.readLong()), in.readLong(), "")
                : of(kind, pair, place, in.readUTF());
    }
}
