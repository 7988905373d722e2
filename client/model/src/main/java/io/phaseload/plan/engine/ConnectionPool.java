package io.phaseload.plan.engine;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The connections that users of a pooled client share.
 *
 * @param total their number in all: 1 to 1,000,000; empty if each user has its own pool
 * @param perRoute the most connections to one host: 1 to 1,000,000; empty for all of them
 * @param policy the choice among free connections
 * @param concurrency the locking between users
 * @param timeToLive a connection that is older isn't used again; empty for no limit
 * @param validateAfter a connection that was free for longer is checked before it is used
 * @param keepAlive a connection that was free for longer isn't used again, unless the server says how long it keeps it
 */
public record ConnectionPool(
        OptionalInt total,
        OptionalInt perRoute,
        Policy policy,
        Concurrency concurrency,
        Optional<Duration> timeToLive,
        Duration validateAfter,
        Duration keepAlive) {

    /** HttpClient's own: 5 connections to a host, checked after 2 s without use. */
    public static final ConnectionPool DEFAULT = new ConnectionPool(
            OptionalInt.of(5),
            OptionalInt.empty(),
            Policy.LIFO,
            Concurrency.STRICT,
            Optional.empty(),
            Duration.ofSeconds(2),
            Duration.ofMinutes(3));

    /** Which free connection is taken. */
    public enum Policy {
        /** The one that was used last, so that few are busy and the others may be closed. */
        LIFO,
        /** The one that was free for longest, so that all are used alike. */
        FIFO
    }

    /** How users that take and give back at the same time are kept apart. */
    public enum Concurrency {
        /** One lock for all; both limits hold exactly. */
        STRICT,
        /** No common lock; only the limit of a host holds. */
        LAX,
        /** A segment for each host; an experiment of HttpClient's. */
        OFFLOCK
    }

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public ConnectionPool {
        total.ifPresent(Limit.POOL::check);
        perRoute.ifPresent(Limit.POOL_PER_ROUTE::check);
        timeToLive.ifPresent(time -> Args.positive("pool time to live", time));
        Args.positive("pool validate after", validateAfter);
    }

    /**
     * This pool with another size.
     *
     * @param connections see {@link #total()}; {@link #perRoute()} is the same
     * @return a copy
     * @throws IllegalArgumentException if it is out of range
     */
    public ConnectionPool of(int connections) {
        return new ConnectionPool(
                OptionalInt.of(connections),
                OptionalInt.empty(),
                policy,
                concurrency,
                timeToLive,
                validateAfter,
                keepAlive);
    }

    /**
     * This pool, one for each user.
     *
     * @return a copy
     */
    public ConnectionPool perUser() {
        return new ConnectionPool(
                OptionalInt.empty(), OptionalInt.empty(), policy, concurrency, timeToLive, validateAfter, keepAlive);
    }
}
