package io.phaseload.user;

import io.phaseload.plan.Load;
import io.phaseload.plan.Part;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.Schedule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The intended requests of an open phase, handed out to free users. A free user claims the next one
 * and waits for its time; so a claim later than its time means that nobody was free for it.
 * Thread-safe. Times are nanoseconds since the phase's start.
 *
 * <p>Either all users claim from here, or groups of them each from a {@link Share} of its own.
 */
public final class Arrivals {

    /**
     * A request to send.
     *
     * @param index 0 for the phase's first, whichever client sends that
     * @param offsetNanos when to send it
     */
    public record Arrival(long index, long offsetNanos) {

        /** There is nothing to send any more. */
        public static final Arrival NONE = new Arrival(-1, Offsets.END);
    }

    /** Users come to claim after the phase's start, and from one request to the next. */
    private static final long GRACE = Duration.ofMillis(1).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Schedule schedule;
    private final boolean drop;
    private final long durationNanos;
    private final long limit;
    private final Part ours;
    private final int allUsers;
    private final List<Share> shares = new CopyOnWriteArrayList<>();
    // Guarded by lock; made when it is first asked for.
    private Share whole;

    /**
     * The requests of a phase, none of them claimed.
     *
     * @param load the phase's
     * @param durationNanos no request is intended, and none claimed, from this time on
     * @param limit the most requests that are intended, of all clients that share the plan
     * @param ours which of their users are here: requests go round all of them
     * @param allUsers how many they are
     */
    Arrivals(Load.Open load, long durationNanos, long limit, Part ours, int allUsers) {
        this.schedule = load.schedule();
        this.drop = load.overload() == Load.Overload.DROP;
        this.durationNanos = durationNanos;
        this.limit = limit;
        this.ours = ours;
        this.allUsers = allUsers;
    }

    /**
     * The part of the requests that some of the users send: as large a part as theirs of all users.
     *
     * @param part its index, from 0
     * @param parts how many parts there are; users go round them by their index
     * @param users how many users there are, at least as many as parts
     * @return a share that nobody else has
     */
    public Share share(int part, int parts, int users) {
        Share share = new Share(part, parts, users);
        shares.add(share);
        return share;
    }

    /**
     * The next request for a user that is free.
     *
     * @param elapsedNanos tells the time; asked when it is the caller's turn, since a wait for that
     *     would make a late request look as if it were in time
     * @return it may be due later, or be late; {@link Arrival#NONE} if there is none any more
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
     * How many weren't handed out so far, since nobody was free in time.
     *
     * @return 0 or more
     */
    public long dropped() {
        return shares.stream().mapToLong(share -> share.dropped).sum();
    }

    /**
     * The requests that weren't sent, when all users have ended.
     *
     * @param reason why requests that nobody claimed weren't sent
     * @param sent how many were sent
     * @return how many intended requests weren't sent, by reason
     */
    public Map<String, Long> notSent(String reason, long sent) {
        long dropped = dropped();
        long all = schedule.startsBefore(durationNanos, limit);
        long intended = all / allUsers * ours.count(allUsers) + ours.count(all % allUsers);
        Map<String, Long> notSent = new LinkedHashMap<>();
        if (dropped > 0) {
            notSent.put("dropped", dropped);
        }
        if (intended - dropped > sent) {
            notSent.put(reason, intended - dropped - sent);
        }
        return notSent;
    }

    /** A part of the requests, for one thread: no other is kept waiting by it. */
    public final class Share {

        private final int part;
        private final int parts;
        private final int users;
        private final Offsets offsets = schedule.offsets();
        private long next;
        // Of these, how many were ours.
        private long passed;
        private boolean over;
        // Written by the owner alone.
        private volatile long dropped;

        private Share(int part, int parts, int users) {
            this.part = part;
            this.parts = parts;
            this.users = users;
        }

        /**
         * The next request for a user that is free.
         *
         * @param elapsedNanos the time
         * @return it may be due later, or be late; {@link Arrival#NONE} if there is none any more
         */
        public Arrival claim(long elapsedNanos) {
            long late = 0;
            Arrival claimed = Arrival.NONE;
            over |= elapsedNanos >= durationNanos;
            while (!over && claimed == Arrival.NONE) {
                long offset = nextOffset();
                if (offset == Offsets.END) {
                    over = true;
                } else if (drop && elapsedNanos - offset > GRACE) {
                    late++;
                } else {
                    claimed = new Arrival(next - 1, offset);
                }
            }
            if (late > 0) {
                dropped += late;
            }
            return claimed;
        }

        private long nextOffset() {
            while (next < limit) {
                long offset = offsets.nextNanos();
                if (offset >= durationNanos) {
                    return Offsets.END;
                }
                boolean own = ours.has(next % allUsers);
                next++;
                // In turn by user, so that a part with more users has more of them.
                if (own && passed++ % users % parts == part) {
                    return offset;
                }
            }
            return Offsets.END;
        }
    }
}
