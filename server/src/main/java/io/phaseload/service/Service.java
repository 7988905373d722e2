package io.phaseload.service;

import java.io.IOException;

/** Answers requests, whatever carries them. Safe for use by any number of threads. */
@FunctionalInterface
public interface Service {

    /**
     * Answers a request.
     *
     * @param request the request
     * @return the answer
     * @throws IOException if the request can't be read to its end
     */
    Answer answer(Request request) throws IOException;
}
