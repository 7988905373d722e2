package io.phaseload.server.rooms;

/** Somebody who is sent messages. */
@FunctionalInterface
interface Receiver {

    /** Takes a message, counts how that ends, and doesn't wait until then. */
    void send(Payload message);
}
