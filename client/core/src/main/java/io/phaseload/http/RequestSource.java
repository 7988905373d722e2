package io.phaseload.http;

/**
 * Where users get the requests to send, one per operation. A request may change during a run as its
 * signature is renewed, so get it each time. Thread-safe; shared by all users.
 *
 * @param <R> the type of a request as it is sent
 */
@FunctionalInterface
public interface RequestSource<R> {

    /**
     * The request to send now.
     *
     * @param operation the operation's index in the scenario
     * @return the request; the same object as long as it doesn't change
     * @throws RuntimeException if it must be signed again and that fails
     */
    R get(int operation);
}
