package io.phaseload.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.plan.engine.Protocol;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What ran a plan's users.
 *
 * @param name the engine's
 * @param transport what its event loops wait with, {@code epoll} or {@code nio}; empty for one
 *     without
 * @param loops how many event loops it has; empty for one without
 * @param tls who encrypts for event loops, {@code boringssl} or {@code jdk}; empty for a target
 *     without TLS, and for an engine without event loops
 * @param streams how many users share a connection of HTTP/2, each with a stream of its own; empty
 *     for HTTP/1.1
 * @param pipeline how many users share a connection, over which their requests are pipelined, so
 *     that a response waits for those before it; empty where each has its own
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record EngineUse(
        String name,
        Optional<String> transport,
        OptionalInt loops,
        Optional<String> tls,
        OptionalInt streams,
        OptionalInt pipeline) {

    /** A thread per user. */
    public static final EngineUse THREADS = of("threads");

    /** {@return an engine of which no more than its name is known} */
    public static EngineUse of(String name) {
        return new EngineUse(
                name,
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    /**
     * An engine of event loops.
     *
     * @param name see {@link #name()}
     * @param transport see {@link #transport()}
     * @param loops see {@link #loops()}
     * @param tls see {@link #tls()}
     * @param protocol what requests go over
     * @return a use with all of that
     */
    public static EngineUse ofLoops(
            String name, String transport, int loops, Optional<String> tls, Protocol protocol) {
        OptionalInt sharing = OptionalInt.of(protocol.usersPerConnection());
        boolean http2 = protocol instanceof Protocol.Http2;
        boolean pipelined = !http2 && protocol.usersPerConnection() > 1;
        return new EngineUse(
                name,
                Optional.of(transport),
                OptionalInt.of(loops),
                tls,
                http2 ? sharing : OptionalInt.empty(),
                pipelined ? sharing : OptionalInt.empty());
    }
}
