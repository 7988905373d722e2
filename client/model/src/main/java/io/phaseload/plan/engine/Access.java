package io.phaseload.plan.engine;

import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.connection.Proxy;
import java.util.Optional;

/**
 * How Apache HttpClient gets to a service.
 *
 * @param credentials the answer to the service's challenges, Basic or Digest
 * @param bearerToken the answer to its challenges for a bearer token
 * @param proxy between the client and the service
 */
public record Access(Optional<Credentials> credentials, Optional<String> bearerToken, Optional<Proxy> proxy) {

    /** Directly, and no challenge is answered. */
    public static final Access OPEN = new Access(Optional.empty(), Optional.empty(), Optional.empty());

    /** Without what is secret. */
    @Override
    public String toString() {
        return proxy.isPresent() ? "by " + proxy.get() : "directly";
    }
}
