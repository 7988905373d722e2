package io.phaseload.service;

import java.io.IOException;

/** Answers requests, independently of the transport. Safe for use by any number of threads. */
@FunctionalInterface
public interface Service {

    /**
     * Answers a request.
     *
     * @param request the request
     * @return the answer
     * @throws IOException if the request can't be read completely
     */
    ServiceResponse answer(ServiceRequest request) throws IOException;
}
