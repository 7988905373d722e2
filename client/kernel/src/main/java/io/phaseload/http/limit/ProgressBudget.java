package io.phaseload.http.limit;

/**
 * Counts what a server sends without bringing a response nearer: HTTP/2 frames about the connection, WebSocket pings
 * and empty fragments, interim responses, chunks with more header than data, lines of a stream without an event. A
 * server that only sends these would otherwise use the client's CPU and memory for as long as a timeout allows. Owned
 * by one connection.
 */
public final class ProgressBudget {

    /**
     * The most pieces without progress. A server's keep-alive pings or comments, one a second, take a day to get there;
     * a flood takes less than a second.
     */
    public static final int PIECES = 100_000;

    private int spent;

    /** Creates a whole budget. */
    public ProgressBudget() {}

    /**
     * A piece without progress has arrived.
     *
     * @return true if there have been too many, so that the connection must end
     */
    public boolean exceeded() {
        return ++spent > PIECES;
    }

    /** A piece with progress has arrived: the budget is whole again. */
    public void progress() {
        spent = 0;
    }

    /**
     * The reason for the end of a connection.
     *
     * @param pieces the plural of what was counted
     * @return a text for outcomes
     */
    public static String reason(String pieces) {
        return "more than %d %s without progress".formatted(PIECES, pieces);
    }
}
