package io.phaseload.events.connection;

/** Counts a user's requests, so that a late action for one can't affect the next. Owned by one event loop. */
public final class RequestTurns {

    private long turn;

    /** Another one begins, or the last one is over. */
    public void next() {
        turn++;
    }

    /** An action that is left out if another turn has begun by then. */
    public Runnable only(Runnable action) {
        long of = turn;
        return () -> {
            if (turn == of) {
                action.run();
            }
        };
    }
}
