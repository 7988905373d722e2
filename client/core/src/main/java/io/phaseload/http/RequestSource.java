package io.phaseload.http;

/**
 * Where users take the request that they send: one per operation, which may change during a run as
 * signatures are renewed. So it is taken each time that it is sent. Thread-safe; shared by all
 * users.
 *
 * @param <R> a request as it is sent
 */
@FunctionalInterface
public interface RequestSource<R> {

    /**
     * The request to send now.
     *
     * @param operation the operation's index in the scenario
     * @return the same one as long as nothing about it changes
     * @throws RuntimeException if it has to be signed again and can't be
     */
    R get(int operation);
}
