package io.phaseload.server.rooms;

import java.util.function.Consumer;

/**
 * The way from the rooms of one server to those of the other nodes of its cluster. Each message goes to all of them, so
 * that nobody needs to know who is in which room of which node. Safe for use by several threads.
 */
public interface Relay {

    /** Of a server that stands alone. */
    Relay NONE = new Relay() {
        @Override
        public int others() {
            return 0;
        }

        @Override
        public boolean pass(byte[] message) {
            return false;
        }

        @Override
        public void receive(Consumer<byte[]> listener) {
            // Nobody will say anything.
        }
    };

    /**
     * How many other nodes there are now.
     *
     * @return 0 for a server that is alone
     */
    int others();

    /**
     * Passes a message to all other nodes. Those of one thread arrive in order, soon after this returns.
     *
     * @param message not changed from now on
     * @return true if it is on its way
     */
    boolean pass(byte[] message);

    /**
     * Sets the receiver of messages that other nodes pass; called once, before there are members.
     *
     * @param listener called by any thread, with the messages of each node in order; returns soon
     */
    void receive(Consumer<byte[]> listener);
}
