package io.phaseload.plan;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Adds headers to requests that hold for some time only, such as a signature with a date. Called by
 * any thread, one request at a time.
 *
 * <p>What it adds is a secret: it is in no plan and in no result.
 */
public interface RequestSigner {

    /**
     * How long a request is sent as it was signed. Then it is signed again, while others are still
     * sent with the headers before: they should hold clearly longer than that.
     *
     * @return above zero
     */
    Duration renewal();

    /**
     * Signs a request.
     *
     * @param request what is going to be sent
     * @return headers to be sent with it; one of the same name is replaced
     * @throws RuntimeException if it can't, which ends the run with what was measured so far
     */
    List<Header> sign(Unsigned request);

    /**
     * A request before it is signed.
     *
     * @param method such as {@code GET}
     * @param uri absolute, with path and query as they are sent
     * @param headers all but {@code Content-Length}
     * @param body empty if there is none; not to be changed
     */
    record Unsigned(String method, URI uri, List<Header> headers, byte[] body) {}
}
