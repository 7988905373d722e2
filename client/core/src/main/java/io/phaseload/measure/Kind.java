package io.phaseload.measure;

import java.util.Arrays;

/** The kinds of times, each with a histogram. */
public enum Kind {
    /** End − intended, of all requests. */
    RESPONSE("response"),
    /** End − intended, of those that failed: a part of {@link #RESPONSE}. */
    FAILED("failed"),
    /** End − sent, of all requests. */
    SERVICE("service"),
    /** Sent − intended, without the wait for a connection, of all requests. */
    SLIP("slip"),
    /** Waiting for a connection of a pool, of all requests of a client that has one. */
    LEASE("lease"),
    /** First byte − sent, of requests that got one. */
    FIRST_BYTE("first-byte"),
    /** End − first byte, of complete responses. */
    TRANSFER("transfer"),
    /** Making a connection, of successful attempts; the next three are its parts. */
    SET_UP("connect"),
    /** Resolving the host. */
    DNS("connect-dns"),
    /** The TCP handshake. */
    TCP("connect-tcp"),
    /** The TLS handshake. */
    TLS("connect-tls"),
    /** End − intended, of requests for which an instance was started or restored. */
    COLD_START("cold-start"),
    /** End − intended, of requests that client stalls may have slowed down. */
    STALLED("stalled"),
    /** End − intended, of requests for which the client's own part was measured. */
    WATCHED("watched"),
    /** The same requests without the client's own part: see {@link Sample#ownNanos()}. */
    CLEARED("cleared"),
    /** Asking a connection to become a WebSocket, until the server has agreed. */
    HANDSHAKE("connect-websocket"),
    /** From a message that a step sent to the receipt of the one that the next step expected. */
    ROUND_TRIP("round-trip"),
    /** Receipt − intended, of messages: one for each receiver. */
    DELIVERY("delivery"),
    /** Receipt − intended, of messages that a receiver had already. */
    DUPLICATED("duplicated"),
    /** Receipt − intended, of messages behind one that was sent later; a part of deliveries. */
    REORDERED("reordered"),
    /** Receipt − intended, of messages that had been given up. */
    LATE("late"),
    /** How far a delivery's time may be from the truth, since clocks of two machines measured it. */
    CLOCK_BOUND("clock-bound"),
    /** Receipt − intended, of deliveries that took less than their clock bound. */
    BELOW_BOUND("below-clock-bound"),
    /** First event of a stream − intended. */
    FIRST_EVENT("first-event"),
    /** First token of a model's output, which is no reasoning and no tool call − intended. */
    FIRST_OUTPUT("first-output"),
    /** From an event of a stream to the next one, over reconnects, too. */
    EVENT_GAP("event-gap"),
    /** Receipt − sent by the server, of events of streams that say it. */
    EVENT_DELIVERY("event-delivery"),
    /** From a stream's early end to the first new event of its next connection. */
    EVENT_RECONNECT("event-reconnect"),
    /** From an event to one after a reconnect that had been received before. */
    EVENT_REPEATED("event-repeated");

    private final String key;

    Kind(String key) {
        this.key = key;
    }

    /**
     * Its name in files.
     *
     * @return lower-case letters and dashes
     */
    public String key() {
        return key;
    }

    /**
     * Finds a kind by its name.
     *
     * @param key its name in files
     * @return the kind
     * @throws IllegalArgumentException if there is none
     */
    public static Kind of(String key) {
        return Arrays.stream(values())
                .filter(kind -> kind.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("histogram of " + key));
    }
}
