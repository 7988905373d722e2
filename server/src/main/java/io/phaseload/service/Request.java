package io.phaseload.service;

import java.io.IOException;
import java.util.Map;

/** What is asked, whatever carries it. For use by one thread. */
public interface Request {

    /**
     * The method.
     *
     * @return its name, in the letters it was sent in
     */
    String method();

    /**
     * The path.
     *
     * @return the whole path as it was sent, percent-encoded
     */
    String path();

    /**
     * What the path begins with that isn't the service's own: the context path of a web
     * application, the stage of an API.
     *
     * @return a prefix of the path, without a slash at its end; mostly empty
     */
    String base();

    /**
     * The query.
     *
     * @return what follows the question mark, as it was sent; empty if nothing does
     */
    String query();

    /**
     * The headers.
     *
     * @return values by names, to be asked for in lower case; several values of one name are joined
     *     by commas
     */
    Map<String, String> headers();

    /**
     * Reads the body, once.
     *
     * @param limit the longest body wanted, in bytes
     * @return the body, or null if it is longer than {@code limit}; then no more than that was read
     * @throws IOException if it ends before its end
     */
    byte[] body(int limit) throws IOException;
}
