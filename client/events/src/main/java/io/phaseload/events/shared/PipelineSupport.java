package io.phaseload.events.shared;

/**
 * Finds out whether a server supports pipelining. A server that never answers a request that arrived before its
 * previous response doesn't. Once that is known, the requests in flight fail, and later ones are sent one after
 * another. Owned by one event loop.
 */
final class PipelineSupport {

    /** This many early ends in a row are no coincidence. */
    private static final int ENOUGH_ENDS = 3;

    private boolean proven;
    private boolean oneByOne;
    private int ends;

    /** Whether a request waits for the response to the previous one. */
    boolean oneByOne() {
        return oneByOne;
    }

    /** A request was answered that had been sent before the response to another one. */
    void proven() {
        proven = true;
    }

    /**
     * The server closed a connection with its first response, or before it.
     *
     * @param several true if more than one request had arrived
     * @return true if it is now certain that it doesn't support pipelining
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

    /** Requests after an answered one timed out; returns the same. */
    boolean unansweredBehind() {
        oneByOne |= !proven;
        return oneByOne;
    }
}
