package io.phaseload.measure.recording;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Mixing;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Samples the requests of some users of a phase: a uniform sample of all, one of the failures, and the slowest of each
 * operation. It costs nearly all requests a hash and three comparisons.
 *
 * <p>Not thread-safe: it is owned by one thread, or guarded by its owner's lock.
 */
public final class RequestSampler {

    private static final int ALL = 16_384;
    private static final int FAILURES = 4_096;
    private static final int SLOWEST = 1_024;

    /** Service times closer than 16 µs are ordered at random, since timeouts are all alike. */
    private static final long ALIKE = 0x3fff;

    /** Of all users of the phase, in turn. */
    private final int users;

    private final int sharing;
    private final @Nullable RequestLog log;
    final RequestRows all;
    final RequestRows failures;
    final RequestRows[] slowest;
    private long count;
    // By user: the connection's number, the requests sent over it, when it was ready, and when the last one ended.
    private int[] connections = new int[0];
    private int[] places = new int[0];
    private long[] madeNanos = new long[0];
    private long[] endNanos = new long[0];

    /**
     * Creates an empty sampler.
     *
     * @param samplers the number of samplers of the phase, which share its memory and its users in turn
     * @param operations the number of operations
     */
    public RequestSampler(int samplers, int operations) {
        this(samplers, operations, 1, Optional.empty());
    }

    /**
     * Creates an empty sampler of users who may share connections.
     *
     * @param samplers the number of samplers of the phase, which share its memory and its users in turn
     * @param operations the number of operations
     * @param sharing the number of its users, in turn, that share a connection over which responses come in any order;
     *     1 if each has its own connection, 0 if responses come in the order of requests
     * @param log receives each request; empty if none is asked for
     */
    public RequestSampler(int samplers, int operations, int sharing, Optional<RequestLog> log) {
        users = samplers;
        this.sharing = sharing;
        this.log = log.orElse(null);
        all = new RequestRows(ALL / samplers);
        failures = new RequestRows(FAILURES / samplers);
        slowest = new RequestRows[operations];
        Arrays.setAll(slowest, i -> new RequestRows(Math.max(64, SLOWEST / samplers)));
    }

    /**
     * Takes a request into account.
     *
     * @param user the index of its user in the phase
     * @param sample the measurement
     * @param sender of the request
     */
    public void add(int user, Sample sample, KeptRequest.Sender sender) {
        Exchange exchange = sample.exchange();
        int own = user / users;
        if (own >= places.length) {
            grow(own);
        }
        boolean takesTurns = sharing != 1 || exchange.leaseNanos() >= 0;
        if (exchange.setUp() != null) {
            connections[own]++;
            places[own] = 0;
            madeNanos[own] = exchange.sentNanos();
        } else {
            places[own]++;
        }
        int connection = takesTurns ? shared(user) : connections[own];
        boolean known = exchange.setUp() != null || !takesTurns && connection >= 0;
        int place = known ? places[own] : -1;
        long made = madeNanos[own];
        long idle = place > 0 ? Math.max(0, exchange.sentNanos() - endNanos[own]) : -1;
        endNanos[own] = exchange.endNanos();
        if (log != null) {
            log.add(user, connection, place, made, idle, sample, sender.trace());
        }
        long random = Mixing.mix((++count << 24) + user) >>> 1;
        long slow = sample.serviceNanos() & ~ALIKE | random & ALIKE;
        RequestRows slowOnes = slowest[sample.operation()];
        boolean ofAll = all.takes(random);
        boolean ofFailures = !(exchange.outcome() instanceof Outcome.Success) && failures.takes(random);
        boolean ofSlow = slowOnes.takes(slow);
        if (!ofAll && !ofFailures && !ofSlow) {
            return;
        }
        String path = sender.path();
        if (ofAll) {
            all.add(random, user, connection, place, made, idle, sample, path);
        }
        if (ofFailures) {
            failures.add(random, user, connection, place, made, idle, sample, path);
        }
        if (ofSlow) {
            slowOnes.add(slow, user, connection, place, made, idle, sample, path);
        }
    }

    private int shared(int user) {
        return sharing > 1 ? SampledConnection.shared(user / users / sharing * users + user % users) : -1;
    }

    private void grow(int user) {
        int more = Math.max(16, Math.max(user + 1, 2 * places.length));
        int before = places.length;
        connections = Arrays.copyOf(connections, more);
        places = Arrays.copyOf(places, more);
        madeNanos = Arrays.copyOf(madeNanos, more);
        endNanos = Arrays.copyOf(endNanos, more);
        // Of a connection that was open before, neither age nor place are known.
        Arrays.fill(connections, before, more, -1);
    }
}
