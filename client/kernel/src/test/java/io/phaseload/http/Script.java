package io.phaseload.http;

/** What a {@link MisbehavingServer} does on one connection. */
@FunctionalInterface
public interface Script {

    /** Reads requests and answers each with a small {@code 200}, as a server should. */
    Script BEHAVE = peer -> {
        while (true) {
            peer.readRequest();
            peer.write(Peer.OK);
        }
    };

    /** Sends nothing, reads whatever comes. */
    Script SAY_NOTHING = Peer::awaitHangUp;

    /**
     * Plays the server's part; the connection is closed in order when it returns.
     *
     * @param peer the connection
     * @throws Exception an {@link java.io.IOException} if the client hung up, which is its right; anything else is a
     *     mistake in the test and shows when the server is closed
     */
    void play(Peer peer) throws Exception;
}
