package io.phaseload.plan.engine;

import io.phaseload.input.Limit;
import io.phaseload.options.ValueException;
import io.phaseload.schedule.Rate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The engine that runs a plan, and its settings. An engine refuses settings that don't apply to it, before anything is
 * sent.
 *
 * @param name the engine's, such as {@code threads}
 * @param protocol the protocol of requests; {@link Protocol#HTTP_1} by default
 * @param loops the number of event loops: 1 to 1,024; empty for one per core; for {@code events} only
 * @param transport {@code epoll} or {@code nio}; empty for the first of these that the host offers; for {@code events}
 *     only
 * @param connectRate the most connections to open per time, by all users of a phase together; empty for no limit
 * @param client the settings of Apache HttpClient, for {@code threads} only; empty for our own
 * @param keepGoing true if a run goes on if no connection was made in its first 5 s
 */
public record EngineSettings(
        String name,
        Protocol protocol,
        OptionalInt loops,
        Optional<String> transport,
        Optional<Rate> connectRate,
        Optional<HttpClientSettings> client,
        boolean keepGoing) {

    /** The name of our own client in plans. */
    public static final String WIRE = "wire";

    /** The transports of event loops. */
    public static final List<String> TRANSPORTS = List.of("epoll", "nio");

    // Before the constant, whose constructor uses it.
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");

    /** One thread per user: the default, which is always there. */
    public static final EngineSettings THREADS = of("threads");

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public EngineSettings {
        if (!NAME.matcher(name).matches()) {
            throw new ValueException("engine '%s'".formatted(name), "a name such as threads");
        }
        loops.ifPresent(Limit.LOOPS::check);
        if (transport.isPresent() && !TRANSPORTS.contains(transport.get())) {
            throw new ValueException("transport '%s'".formatted(transport.get()), String.join(" or ", TRANSPORTS));
        }
    }

    /**
     * The client of users.
     *
     * @return the client's name, such as {@value #WIRE}
     */
    public String clientName() {
        return client.isPresent() ? HttpClientSettings.NAME : WIRE;
    }

    /** {@return true if each user has an HTTP/1.1 connection of our own client's, which streams of events need} */
    public boolean readsStreams() {
        return protocol.equals(Protocol.HTTP_1) && client.isEmpty();
    }

    /**
     * An engine with its defaults.
     *
     * @param name see {@link #name()}
     * @return its settings
     * @throws IllegalArgumentException if it isn't a name
     */
    public static EngineSettings of(String name) {
        return builder(name).build();
    }

    /**
     * Starts with an engine's defaults.
     *
     * @param name see {@link #name()}
     * @return a builder, for one thread
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Collects an engine's settings; {@link #build()} checks them. */
    public static final class Builder {

        private final String name;
        private Protocol protocol = Protocol.HTTP_1;
        private OptionalInt loops = OptionalInt.empty();
        private Optional<String> transport = Optional.empty();
        private Optional<Rate> connectRate = Optional.empty();
        private Optional<HttpClientSettings> client = Optional.empty();
        private boolean keepGoing;

        private Builder(String name) {
            this.name = name;
        }

        /** Sets {@link EngineSettings#protocol()}. */
        public Builder protocol(Protocol chosen) {
            protocol = chosen;
            return this;
        }

        /** Sets {@link EngineSettings#loops()}. */
        public Builder loops(int count) {
            loops = OptionalInt.of(count);
            return this;
        }

        /** Sets {@link EngineSettings#transport()}. */
        public Builder transport(String kind) {
            transport = Optional.of(kind);
            return this;
        }

        /** Sets {@link EngineSettings#connectRate()}. */
        public Builder connectRate(Rate rate) {
            connectRate = Optional.of(rate);
            return this;
        }

        /** Sets {@link EngineSettings#client()}. */
        public Builder client(HttpClientSettings settings) {
            client = Optional.of(settings);
            return this;
        }

        /** Sets {@link EngineSettings#keepGoing()}. */
        public Builder keepGoing(boolean whether) {
            keepGoing = whether;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException naming the part, its value and what is allowed
         */
        public EngineSettings build() {
            return new EngineSettings(name, protocol, loops, transport, connectRate, client, keepGoing);
        }
    }
}
