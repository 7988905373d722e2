package io.phaseload.host.linux;

import java.util.Optional;

/** The states of a TCP socket, in the order of the kernel's numbers, which begin with 1. */
public enum SocketState {
    /** Data can be sent both ways. */
    ESTABLISHED,
    /** A client's connection is being made. */
    SYN_SENT,
    /** A server's connection is being made. */
    SYN_RECEIVED,
    /** This end was closed, and the peer hasn't heard of it. */
    FIN_WAIT_1,
    /** This end was closed. */
    FIN_WAIT_2,
    /** Both ends were closed; the port is kept for a while. */
    TIME_WAIT,
    /** Not in use. */
    CLOSED,
    /** The peer closed its end. */
    CLOSE_WAIT,
    /** Both ends were closed, and the peer hasn't heard of it. */
    LAST_ACK,
    /** It waits for connections. */
    LISTEN,
    /** Both ends were closed at the same time. */
    CLOSING,
    /** A server's connection is being made, before it has a socket of its own. */
    NEW_SYN_RECEIVED;

    static Optional<SocketState> of(int number) {
        SocketState[] states = values();
        return number >= 1 && number <= states.length ? Optional.of(states[number - 1]) : Optional.empty();
    }
}
