package io.phaseload.events.connection;

import io.phaseload.http.socket.UserSocket;
import java.util.ServiceLoader;

/** Makes WebSockets of users; found by {@link ServiceLoader}. */
@FunctionalInterface
public interface LoopSockets {

    /**
     * A user's, on an event loop.
     *
     * @param loop owns it, and closes it at its own end; listeners are called in its thread
     */
    UserSocket newSocket(LoopContext loop);

    /**
     * Those on the class path.
     *
     * @throws IllegalArgumentException if there are none
     */
    static LoopSockets find() {
        return ServiceLoader.load(LoopSockets.class, LoopSockets.class.getClassLoader())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("connect: expected phaseload-websocket on the class path"));
    }
}
