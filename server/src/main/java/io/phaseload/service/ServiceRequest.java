package io.phaseload.service;

import java.io.IOException;
import java.util.Map;

/** A request, independent of the transport. For use by one thread. */
public interface ServiceRequest {

    /**
     * The method.
     *
     * @return its name, as sent
     */
    String method();

    /**
     * The path.
     *
     * @return the whole path as it was sent, percent-encoded
     */
    String path();

    /**
     * The prefix of the path that isn't the service's own: the context path of a web application, or the stage of an
     * API.
     *
     * @return the prefix, without a slash at its end; usually empty
     */
    String base();

    /** The query. */
    String query();

    /**
     * The headers.
     *
     * @return values by lower-case name; several values of one name are joined by commas
     */
    Map<String, String> headers();

    /**
     * Reads the body, once.
     *
     * @param limit the longest body wanted, in bytes
     * @return the body, or null if it is longer than {@code limit}; no more than that is read
     * @throws IOException if it is truncated
     */
    byte[] body(int limit) throws IOException;
}
