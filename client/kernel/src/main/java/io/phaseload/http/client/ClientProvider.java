package io.phaseload.http.client;

import io.phaseload.plan.Plan;
import io.phaseload.run.OwnClient;

/** Makes clients of one kind. Those that a plan may name are found by {@link java.util.ServiceLoader}. */
public interface ClientProvider extends OwnClient {

    /**
     * Checks that this client can send a plan's requests.
     *
     * @throws IllegalArgumentException naming the part of the plan that it can't do
     */
    default void check(Plan plan) {}

    /**
     * Makes a client for one run.
     *
     * @return a client that has no connection yet
     */
    Client create(Plan plan);
}
