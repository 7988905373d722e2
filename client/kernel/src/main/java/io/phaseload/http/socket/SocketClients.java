package io.phaseload.http.socket;

import io.phaseload.plan.Plan;
import java.util.ServiceLoader;

/** Makes clients; found by {@link ServiceLoader}. */
@FunctionalInterface
public interface SocketClients {

    /**
     * Makes a client for one phase.
     *
     * @param plan has the target
     * @return a client that has no connection yet
     */
    SocketClient create(Plan plan);

    /**
     * Those on the class path.
     *
     * @throws IllegalArgumentException if there are none
     */
    static SocketClients find() {
        return ServiceLoader.load(SocketClients.class, SocketClients.class.getClassLoader())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("connect: expected phaseload-websocket on the class path"));
    }
}
