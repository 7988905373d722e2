package io.phaseload.plan.engine;

import io.phaseload.schedule.Rate;
import io.phaseload.settings.Kind;
import io.phaseload.settings.Setting;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Which engine runs a plan, and what is asked of it. An engine refuses what doesn't apply to it,
 * before anything is sent.
 *
 * @param name the engine's, such as {@code threads}
 * @param protocol what requests go over; {@link Protocol#HTTP_1} by default
 * @param loops how many event loops: 1 to 1,024; empty for one a core; for {@code events} only
 * @param transport {@code epoll} or {@code nio}; empty for the first of these that the host offers;
 *     for {@code events} only
 * @param connectRate how many connections are opened in a time at most, by all users of a phase
 *     together; empty for as fast as it goes
 * @param client what is asked of Apache HttpClient, for {@code threads} only; empty for our own
 * @param keepGoing whether a run goes on to which no connection was made in its first 5 s
 */
public record EngineSettings(
        String name,
        Protocol protocol,
        OptionalInt loops,
        Optional<String> transport,
        Optional<Rate> connectRate,
        Optional<HttpClientSettings> client,
        boolean keepGoing) {

    /** What plans call our own client. */
    public static final String WIRE = "wire";

    // Before the constant, whose constructor uses it.
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");

    /** A thread per user: the engine that is always there. */
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
        loops.ifPresent(Setting.LOOPS::check);
        Kind transports = Setting.TRANSPORT.kind();
        if (transport.isPresent() && !transports.words().contains(transport.get())) {
            throw new IllegalArgumentException(
                    "transport '%s': expected %s"
                            .formatted(transport.get(), transports.expected()));
        }
    }

    /**
     * What users send with.
     *
     * @return the client's name, such as {@value #WIRE}
     */
    public String clientName() {
        return client.isPresent() ? HttpClientSettings.NAME : WIRE;
    }

    /**
     * An engine as it is by default.
     *
     * @param name see {@link #name()}
     * @return settings without anything asked of it
     * @throws IllegalArgumentException if it isn't a name
     */
    public static EngineSettings of(String name) {
        return builder(name).build();
    }

    /**
     * Begins with an engine as it is by default.
     *
     * @param name see {@link #name()}
     * @return a builder, for one thread
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Collects what is asked of an engine; {@link #build()} checks it. */
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
         * @return what was collected
         * @throws IllegalArgumentException naming the part, its value and what is allowed
         */
        public EngineSettings build() {
            return new EngineSettings(
                    name, protocol, loops, transport, connectRate, client, keepGoing);
        }
    }
}
