package io.phaseload.engine.threads;

import io.phaseload.http.UserSender;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.SocketSteps;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.measure.SendResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Runs a user's WebSocket steps synchronously.
 *
 * @param steps the plan's
 * @param socket the user's
 * @param turn is awaited before each attempt at opening a connection
 */
record ThreadSocket(SocketSteps steps, UserSocket socket, UserSender.Turn turn) implements AutoCloseable {

    /** The last call of {@link UserSocket.Listener}. */
    record Performed(SendResult result, long roundTripNanos) {

        private static final Performed NOTHING = new Performed(SendResult.NOT_SENT, UserSocket.NONE);
    }

    /** Does a step; an interrupt ends the wait, and is kept. */
    Performed perform(SocketCall call) {
        if (call instanceof SocketCall.ConnectCall && !turn.await()) {
            return Performed.NOTHING;
        }
        CompletableFuture<Performed> performed = new CompletableFuture<>();
        socket.perform(call, (result, trip) -> performed.complete(new Performed(result, trip)));
        try {
            return performed.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Performed.NOTHING;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
