package io.phaseload.engine;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What ran a plan's users.
 *
 * @param name the engine's
 * @param transport what its event loops wait with, {@code epoll} or {@code nio}; {@code null} for
 *     one without
 * @param loops how many event loops it has; {@code null} for one without
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EngineUse(String name, String transport, Integer loops) {

    /** A thread a user. */
    public static final EngineUse THREADS = new EngineUse("threads", null, null);
}
