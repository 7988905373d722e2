package io.phaseload.events.shared;

/**
 * What a connection has found out about whether its server supports pipelining. A server that never
 * answers a request which came before its answer to another doesn't. Once that is known, which
 * fails the requests in flight, requests go one after another. Owned by one event loop.
 */
final class PipelineSupport {

    /** This many connections in a row that end early are no coincidence. */
    private static final int ENOUGH_ENDS = 3;

    private boolean proven;
    private boolean oneByOne;
    private int ends;

    /** Whether a request waits for the answer to the one before. */
    boolean oneByOne() {
        return oneByOne;
    }

    /** A request was answered that had been sent before the answer to another. */
    void proven() {
        proven = true;
    }

    /**
     * The server has ended a connection with its first response, or before it.
     *
     * @param several whether more requests than one had arrived
     * @return whether it is certain by now that it doesn't support pipelining
     */
    boolean endedEarly(boolean several) {
        if (proven) {
            return false;
        }
        ends = several ? ends + 1 : 0;
        // A server that doesn't answer a single request either fails for another reason.
        oneByOne = ends >= ENOUGH_ENDS;
        return oneByOne;
    }

    /** Requests behind one that was answered came to their time limit; returns the same. */
    boolean unansweredBehind() {
        oneByOne |= !proven;
        return oneByOne;
    }
}
