package io.phaseload.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What ran a plan's users.
 *
 * @param name the engine's
 * @param transport what its event loops wait with, {@code epoll} or {@code nio}; {@code null} for
 *     one without
 * @param loops how many event loops it has; {@code null} for one without
 * @param tls who encrypts for event loops, {@code boringssl} or {@code jdk}; {@code null} for a
 *     target without TLS, and for an engine without event loops
 * @param streams how many users share a connection of HTTP/2, each with a stream of its own; {@code
 *     null} for HTTP/1.1
 * @param pipeline how many users share a connection, over which their requests are pipelined, so
 *     that a response waits for those before it; {@code null} where each has its own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EngineUse(
        String name,
        @Nullable String transport,
        @Nullable Integer loops,
        @Nullable String tls,
        @Nullable Integer streams,
        @Nullable Integer pipeline) {

    /** A thread per user. */
    public static final EngineUse THREADS = of("threads");

    /**
     * An engine of which no more is known.
     *
     * @param name see {@link #name()}
     * @return a use with nothing else
     */
    public static EngineUse of(String name) {
        return new EngineUse(name, null, null, null, null, null);
    }
}
