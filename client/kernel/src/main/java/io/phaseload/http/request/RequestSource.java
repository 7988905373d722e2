package io.phaseload.http.request;

import io.phaseload.journey.Session;
import io.phaseload.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * Where users take the request that they send: one per operation, which may change during a run as signatures are
 * renewed, or is another one for each user and iteration. So it is taken each time that it is sent. Thread-safe; shared
 * by all users.
 */
@FunctionalInterface
public interface RequestSource {

    /**
     * Encodes all operations of a plan, and signs them if it has a signer. Steps of journeys are written each time.
     *
     * @param plan has the target and the scenario
     * @return one per operation
     * @throws RuntimeException if the plan's signer fails
     */
    static RequestSource of(Plan plan) {
        if (plan.scenario().journeys().isPresent()) {
            return RequestTemplate.all(plan);
        }
        if (plan.signer().isPresent()) {
            return new SignedRequests(
                    plan.target(), plan.scenario().operations(), plan.signer().get(), System::nanoTime);
        }
        PreparedRequest[] requests = plan.scenario().operations().stream()
                .map(operation -> new PreparedRequest(plan.target(), operation))
                .toArray(PreparedRequest[]::new);
        return new SameRequests(requests);
    }

    /**
     * The request to send now.
     *
     * @param operation the operation's index in the scenario
     * @param session the user's, with the values to send; {@code null} without journeys
     * @return the same one as long as nothing about it changes; {@code null} if a value of the session can't be where
     *     it is to be
     * @throws RuntimeException if it has to be signed again and can't be
     */
    @Nullable PreparedRequest get(int operation, @Nullable Session session);

    /**
     * Requests that are the same each time.
     *
     * @param all one an operation
     */
    record SameRequests(PreparedRequest... all) implements RequestSource {

        @Override
        public PreparedRequest get(int operation, @Nullable Session session) {
            return all[operation];
        }
    }
}
