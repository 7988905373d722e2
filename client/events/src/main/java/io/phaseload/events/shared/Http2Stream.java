package io.phaseload.events.shared;

import io.phaseload.events.connection.LoopRequest;
import io.phaseload.measure.Outcome;

/** An HTTP/2 stream: one user's request and its response; reused for later ones. */
final class Http2Stream {

    private final Http2Response response = new Http2Response();
    private SharedUser user;
    private int id;
    private int bodySent;
    private long window;
    private int consumed;
    private boolean bodyAwaited;

    /**
     * Starts a stream; may be called again.
     *
     * @param by the user whose request it is for
     * @param number its number on its connection
     */
    void begin(SharedUser by, int number, int serverWindow) {
        user = by;
        id = number;
        window = serverWindow;
        bodySent = 0;
        consumed = 0;
        bodyAwaited = by.request().prepared().expectsContinue();
        response.begin(by.request());
    }

    int id() {
        return id;
    }

    SharedUser user() {
        return user;
    }

    LoopRequest request() {
        return user.request();
    }

    Http2Response response() {
        return response;
    }

    /** Whether its body is held back until the server asks for it. */
    boolean bodyAwaited() {
        return bodyAwaited;
    }

    void bodyWanted() {
        bodyAwaited = false;
    }

    int bodySent() {
        return bodySent;
    }

    int bodyLeft() {
        return request().bodyLength() - bodySent;
    }

    void sent(int length) {
        bodySent += length;
        window -= length;
    }

    /** How much of the request's body the server accepts now; may be negative. */
    long window() {
        return window;
    }

    void widen(long more) {
        window += more;
    }

    /** The server has used part of its window. */
    int consume(int bytes) {
        consumed += bytes;
        return consumed;
    }

    void replenish() {
        consumed = 0;
    }

    /** How much of the response has arrived, if that breaks off. */
    Outcome.Reset.Stage stage() {
        return user.flight().stage(response.headRead());
    }

    /** The response is complete. */
    void complete(long now) {
        Outcome outcome = user.flight().judged(now, response);
        user.complete(now, outcome, response.status(), response.instance());
    }

    void fail(Outcome outcome) {
        user.fail(outcome, response.instance());
    }
}
