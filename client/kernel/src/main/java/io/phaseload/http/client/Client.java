package io.phaseload.http.client;

import io.phaseload.host.PoolUse;
import io.phaseload.http.Deadlines;
import io.phaseload.http.UserSender;
import io.phaseload.http.socket.UserSocket;
import java.util.Optional;

/** The client of a run's users. Thread-safe; {@link #close()} ends what they share. */
@FunctionalInterface
public interface Client extends AutoCloseable {

    /**
     * A sender for one user in one phase.
     *
     * @param deadlines watches it until it is closed
     * @param turn is awaited before each attempt at opening a connection; that wait is part of no figure
     * @return one that has sent nothing
     */
    UserSender newSender(Deadlines deadlines, UserSender.Turn turn);

    /**
     * Runs a user's WebSocket steps.
     *
     * @param socket the user's
     * @return itself, unless this client shows what goes over it
     */
    default UserSocket socket(UserSocket socket) {
        return socket;
    }

    /**
     * The current state of the pool that users share.
     *
     * @return empty if they share none
     */
    default Optional<PoolUse> pool() {
        return Optional.empty();
    }

    /** Nothing is sent any more: all senders are closed. */
    @Override
    default void close() {
        // Each connection was closed with its user.
    }
}
