package io.phaseload.plan;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Adds headers that are valid for a limited time, such as a dated signature. Called by any thread, one request at a
 * time.
 *
 * <p>Its additions are secret: no plan and no result contains it.
 */
public interface RequestSigner {

    /**
     * How long a signed request is used before it is signed again. While that happens, requests still go out with the
     * old headers, which should therefore be valid for clearly longer.
     *
     * @return above zero
     */
    Duration renewal();

    /**
     * Signs a request.
     *
     * @param request the request to be sent
     * @return headers to send with it; they replace headers of the same name
     * @throws RuntimeException if signing fails; the run then ends, with the results so far
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
