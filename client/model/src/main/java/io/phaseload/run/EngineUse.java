package io.phaseload.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.plan.engine.Protocol;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a plan's users were run.
 *
 * @param name the engine's
 * @param transport the transport of its event loops, {@code epoll} or {@code nio}; empty for an engine without event
 *     loops
 * @param loops the number of its event loops; empty for an engine without any
 * @param tls the TLS library of event loops, {@code boringssl} or {@code jdk}; empty for a target without TLS, and for
 *     an engine without event loops
 * @param streams the number of users that share an HTTP/2 connection, each with its own stream; empty for HTTP/1.1
 * @param pipeline the number of users that share a connection and pipeline their requests, so that a response waits for
 *     those before it; empty if each has its own
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record EngineUse(
        String name,
        Optional<String> transport,
        OptionalInt loops,
        Optional<String> tls,
        OptionalInt streams,
        OptionalInt pipeline) {

    /** One thread per user. */
    public static final EngineUse THREADS = of("threads");

    /** {@return an engine of which only the name is known} */
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
     * @param protocol the protocol of requests
     * @return the engine with all of that
     */
    public static EngineUse ofLoops(String name, String transport, int loops, Optional<String> tls, Protocol protocol) {
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
