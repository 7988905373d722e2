package io.phaseload.http.response;

import io.phaseload.input.Printable;
import java.nio.charset.StandardCharsets;

/** The response isn't HTTP/1.x, or exceeds the client's limits. */
public final class MalformedException extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int SHOWN = 100;

    /**
     * Says what was wrong.
     *
     * @param reason on one line, without control characters
     */
    public MalformedException(String reason) {
        super(reason, null, false, false);
    }

    /** Quotes the beginning of what was wrong, without control characters. */
    static MalformedException of(String reason, byte[] bytes, int from, int to) {
        String text = new String(bytes, from, Math.min(to - from, SHOWN), StandardCharsets.ISO_8859_1);
        return new MalformedException(reason + ": " + Printable.of(text));
    }
}
