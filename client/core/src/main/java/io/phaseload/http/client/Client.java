package io.phaseload.http.client;

import io.phaseload.http.Deadlines;
import io.phaseload.http.Sender;

/** What the users of a run send with. Thread-safe; {@link #close()} ends what they share. */
public interface Client extends AutoCloseable {

    /**
     * A sender for one user in one phase.
     *
     * @param deadlines watches it until it is closed
     * @param turn is awaited before each attempt at opening a connection; that wait is part of no
     *     figure
     * @return one that has sent nothing
     */
    Sender newSender(Deadlines deadlines, Sender.Turn turn);

    /** Nothing is sent any more: all senders are closed. */
    @Override
    void close();
}
