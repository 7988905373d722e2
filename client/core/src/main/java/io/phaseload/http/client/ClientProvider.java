package io.phaseload.http.client;

import io.phaseload.plan.Plan;
import io.phaseload.run.OwnClient;

/** Makes clients of one kind. Those that a plan may name are found by {@link java.util.ServiceLoader}. */
public interface ClientProvider extends OwnClient {

    /**
     * Makes a client for one run.
     *
     * @return a client that has no connection yet
     * @throws IllegalArgumentException if the plan asks for something that this client can't do
     */
    Client create(Plan plan);
}
