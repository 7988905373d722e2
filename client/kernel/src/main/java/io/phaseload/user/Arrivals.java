package io.phaseload.user;

import io.phaseload.plan.Load;
import io.phaseload.plan.share.Part;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.Schedule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The intended requests of an open phase, or the journeys, handed out to free users. A free user claims the next one
 * and waits for its time; so a claim later than its time means that nobody was free for it. Thread-safe. Times are
 * nanoseconds since the phase's start.
 *
 * <p>Either all users claim from here, or each group of users claims from its own {@link Share}.
 */
public final class Arrivals {

    /**
     * A request to send, or a journey to begin.
     *
     * @param index 0 for the phase's first, whichever client sends that
     * @param segment the part of the phase that it belongs to, by how often the load was changed before
     */
    public record Arrival(long index, long offsetNanos, int segment) {

        /** There is nothing left to send. */
        public static final Arrival NONE = new Arrival(-1, Offsets.END);

        /** Nothing is due until the load is changed again. */
        static final Arrival PAUSED = new Arrival(-2, Offsets.END);

        /** An arrival of a phase whose load wasn't changed. */
        public Arrival(long index, long offsetNanos) {
            this(index, offsetNanos, 0);
        }
    }

    /** The time for users to come and claim, after the phase's start and between requests. */
    private static final long GRACE = Duration.ofMillis(1).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Throttle throttle;
    private final boolean drop;
    private final long durationNanos;
    private final long limit;
    private final Part ours;
    private final int allUsers;
    // How many requests an arrival is, by turns.
    private final long[] requests;
    private final List<Share> shares = new CopyOnWriteArrayList<>();
    // Guarded by lock; created on first use.
    private Share whole;

    /**
     * Creates the requests of a phase, all unclaimed.
     *
     * @param throttle has the times at which requests are due
     * @param overload the treatment of requests for which no user is free
     * @param durationNanos no request is intended, and none claimed, from this time on
     * @param limit the most arrivals that are intended, of all clients that share the plan
     * @param requests the number of requests that an arrival is, by turns
     */
    Arrivals(
            Throttle throttle,
            Load.Overload overload,
            long durationNanos,
            long limit,
            Part ours,
            int allUsers,
            long[] requests) {
        this.throttle = throttle;
        this.drop = overload == Load.Overload.DROP;
        this.durationNanos = durationNanos;
        this.limit = limit;
        this.ours = ours;
        this.allUsers = allUsers;
        this.requests = requests;
    }

    /**
     * Creates the share of the requests that a group of users sends, in proportion to its size.
     *
     * @param part the group's index, from 0
     * @param parts the number of groups; users are assigned to them in turn by index
     * @param users the number of users, at least as many as groups
     * @return the group's share
     */
    public Share share(int part, int parts, int users) {
        Share share = new Share(part, parts, users);
        shares.add(share);
        return share;
    }

    /**
     * Claims the next request for a free user.
     *
     * @param elapsedNanos the clock; called under the lock, since a wait for the lock would make a late request look
     *     punctual
     * @return the request, which may be due later, or be late; {@link Arrival#NONE} if none is left
     */
    public Arrival claim(LongSupplier elapsedNanos) {
        lock.lock();
        try {
            if (whole == null) {
                whole = share(0, 1, 1);
            }
            return whole.claim(elapsedNanos.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The number of requests dropped so far because no user was free in time.
     *
     * @return requests, 0 or more
     */
    public long dropped() {
        return shares.stream().mapToLong(share -> share.dropped).sum();
    }

    /**
     * Counts the unsent requests when all users have ended.
     *
     * @param reason why requests that nobody claimed weren't sent
     * @param sent the number that were sent, or needn't be any more
     * @return the number of intended requests that weren't sent, by reason
     */
    public Map<String, Long> notSent(String reason, long sent) {
        long dropped = dropped();
        long intended = intended(throttle.startsBefore(durationNanos, limit));
        Map<String, Long> notSent = new LinkedHashMap<>();
        if (dropped > 0) {
            notSent.put(UnsentReason.DROPPED.key(), dropped);
        }
        if (intended - dropped > sent) {
            notSent.put(reason, intended - dropped - sent);
        }
        return notSent;
    }

    /** How many requests of so many arrivals are for our users. */
    private long intended(long arrivals) {
        if (requests.length == 1) {
            return own(arrivals) * requests[0];
        }
        return LongStream.range(0, arrivals)
                .filter(arrival -> ours.has(arrival % allUsers))
                .map(arrival -> requests[(int) (arrival % requests.length)])
                .sum();
    }

    private long own(long arrivals) {
        return arrivals / allUsers * ours.count(allUsers) + ours.count(arrivals % allUsers);
    }

    /** A part of the requests, for one thread: no other is kept waiting by it. */
    public final class Share {

        private final int part;
        private final int parts;
        private final int users;
        // Of the throttle's: those that are known, and where it is.
        private List<Throttle.Segment> segments = throttle.segments();
        private int at;
        private @Nullable Offsets offsets;
        private long lastNanos = -1;
        private long next;
        // Of these, how many were ours.
        private long passed;
        private boolean over;
        // Written only by the owner.
        private volatile long dropped;

        private Share(int part, int parts, int users) {
            this.part = part;
            this.parts = parts;
            this.users = users;
            enter(0);
        }

        private void enter(int segment) {
            at = segment;
            lastNanos = -1;
            offsets = segments.get(segment).paused()
                    ? null
                    : segments.get(segment).schedule().map(Schedule::offsets).orElseThrow();
            next = throttle.startsBefore(segment, limit);
            passed = own(next);
        }

        /** Learns of changes. Arrivals that are handed out, but come after a change, are taken back by their users. */
        private void update() {
            segments = throttle.segments();
            over = false;
            while (at + 1 < segments.size() && lastNanos >= segments.get(at + 1).from()) {
                enter(at + 1);
            }
        }

        /**
         * Claims the next request for a free user.
         *
         * @param elapsedNanos the time
         * @return the request, which may be due later, or be late; {@link Arrival#NONE} if none is left
         */
        public Arrival claim(long elapsedNanos) {
            long late = 0;
            Arrival claimed = Arrival.NONE;
            if (segments.size() < throttle.version()) {
                update();
            }
            over |= elapsedNanos >= durationNanos;
            while (!over && claimed == Arrival.NONE) {
                long offset = nextOffset();
                if (offset == Offsets.END && offsets == null) {
                    claimed = Arrival.PAUSED;
                } else if (offset == Offsets.END) {
                    over = true;
                } else if (drop && elapsedNanos - offset > GRACE) {
                    late += requests[(int) ((next - 1) % requests.length)];
                } else {
                    claimed = new Arrival(next - 1, offset, at);
                }
            }
            if (late > 0) {
                dropped += late;
            }
            return claimed;
        }

        private long nextOffset() {
            while (next < limit) {
                Throttle.Segment segment = segments.get(at);
                long since = offsets == null ? Offsets.END : offsets.nextNanos();
                long offset = since == Offsets.END ? since : segment.begin() + since;
                if (offset < segment.from()) {
                    continue;
                }
                lastNanos = offset;
                if (at + 1 < segments.size() && offset >= segments.get(at + 1).from()) {
                    enter(at + 1);
                    continue;
                }
                if (offset >= durationNanos) {
                    return Offsets.END;
                }
                boolean own = ours.has(next % allUsers);
                next++;
                // In turn by user, so that a group with more users gets more of them.
                if (own && passed++ % users % parts == part) {
                    return offset;
                }
            }
            return Offsets.END;
        }
    }
}
