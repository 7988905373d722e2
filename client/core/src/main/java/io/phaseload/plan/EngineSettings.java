package io.phaseload.plan;

import io.phaseload.schedule.Rate;
import io.phaseload.settings.Args;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Which engine runs a plan, and what is asked of it. What doesn't apply to an engine is refused by
 * that engine, before anything is sent.
 *
 * @param name the engine's, such as {@code threads}
 * @param loops how many event loops: 1 to 1,024; empty for one a core; for {@code events} only
 * @param transport {@code epoll} or {@code nio}; empty for the first of these that the host offers;
 *     for {@code events} only
 * @param connectRate how many connections are opened in a time at most, by all users of a phase
 *     together; empty for as fast as it goes
 * @param streams with it requests go over HTTP/2, and this many users share a connection, each with
 *     a stream at a time: 1 to 10,000; empty for HTTP/1.1; for {@code events} only
 * @param pipeline how many users share a connection, over which their requests are pipelined: 1 to
 *     1,000; empty for a connection a user; for {@code events} only
 * @param windows how much a server may send over HTTP/2 ahead of what was read; empty for {@link
 *     Http2Windows#DEFAULT}, and without {@code streams}
 * @param keepGoing whether a run goes on to which no connection was made in its first 5 s
 */
public record EngineSettings(
        String name,
        OptionalInt loops,
        Optional<String> transport,
        Optional<Rate> connectRate,
        OptionalInt streams,
        OptionalInt pipeline,
        Optional<Http2Windows> windows,
        boolean keepGoing) {

    // Before the constant, whose constructor uses them.
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");
    private static final List<String> TRANSPORTS = List.of("epoll", "nio");

    /** A thread a user: the engine that is always there. */
    public static final EngineSettings THREADS = of("threads");

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public EngineSettings {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "engine '%s': expected a name such as threads".formatted(name));
        }
        loops.ifPresent(count -> Args.range("loops", count, 1, 1_024));
        streams.ifPresent(count -> Args.range("streams", count, 1, 10_000));
        pipeline.ifPresent(count -> Args.range("pipeline", count, 1, 1_000));
        if (streams.isPresent() && pipeline.orElse(1) > 1) {
            throw new IllegalArgumentException(
                    "pipeline %d: expected none with HTTP/2".formatted(pipeline.getAsInt()));
        }
        if (windows.isPresent() && streams.isEmpty()) {
            throw new IllegalArgumentException(
                    "windows %s: expected HTTP/2 beside them".formatted(windows.get()));
        }
        transport.ifPresent(
                kind -> {
                    if (!TRANSPORTS.contains(kind)) {
                        throw new IllegalArgumentException(
                                "transport '%s': expected epoll or nio".formatted(kind));
                    }
                });
    }

    /**
     * An engine as it is by default.
     *
     * @param name see {@link #name()}
     * @return settings without anything asked of it
     * @throws IllegalArgumentException if it isn't a name
     */
    public static EngineSettings of(String name) {
        return new EngineSettings(
                name,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                false);
    }

    /**
     * These settings with a number of event loops.
     *
     * @param count see {@link #loops()}
     * @return a copy
     * @throws IllegalArgumentException if the number is out of range
     */
    public EngineSettings withLoops(int count) {
        return new EngineSettings(
                name,
                OptionalInt.of(count),
                transport,
                connectRate,
                streams,
                pipeline,
                windows,
                keepGoing);
    }

    /**
     * These settings with a transport.
     *
     * @param kind see {@link #transport()}
     * @return a copy
     * @throws IllegalArgumentException if it is none of these
     */
    public EngineSettings withTransport(String kind) {
        return new EngineSettings(
                name, loops, Optional.of(kind), connectRate, streams, pipeline, windows, keepGoing);
    }

    /**
     * These settings with a pace for opening connections.
     *
     * @param rate see {@link #connectRate()}
     * @return a copy
     */
    public EngineSettings withConnectRate(Rate rate) {
        return new EngineSettings(
                name, loops, transport, Optional.of(rate), streams, pipeline, windows, keepGoing);
    }

    /**
     * These settings with HTTP/2.
     *
     * @param count see {@link #streams()}
     * @return a copy
     * @throws IllegalArgumentException if the number is out of range
     */
    public EngineSettings withHttp2(int count) {
        return new EngineSettings(
                name,
                loops,
                transport,
                connectRate,
                OptionalInt.of(count),
                pipeline,
                windows,
                keepGoing);
    }

    /**
     * These settings with pipelining.
     *
     * @param users see {@link #pipeline()}
     * @return a copy
     * @throws IllegalArgumentException if the number is out of range
     */
    public EngineSettings withPipeline(int users) {
        return new EngineSettings(
                name,
                loops,
                transport,
                connectRate,
                streams,
                OptionalInt.of(users),
                windows,
                keepGoing);
    }

    /**
     * These settings with other windows.
     *
     * @param bytes see {@link #windows()}
     * @return a copy
     * @throws IllegalArgumentException without HTTP/2
     */
    public EngineSettings withWindows(Http2Windows bytes) {
        return new EngineSettings(
                name,
                loops,
                transport,
                connectRate,
                streams,
                pipeline,
                Optional.of(bytes),
                keepGoing);
    }

    /**
     * These settings for a run that isn't ended when its target can't be reached.
     *
     * @return a copy
     */
    public EngineSettings withKeepGoing() {
        return new EngineSettings(
                name, loops, transport, connectRate, streams, pipeline, windows, true);
    }
}
