package io.phaseload.user;

import io.phaseload.plan.Load;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The load of one phase while it runs: as planned, until it is changed. Times are nanoseconds since the phase's start.
 * Thread-safe: a change takes effect at a time that is still to come, so that all users know it by then.
 *
 * <p>From a change of rate on, requests are due at equal intervals, the first one at the time of the change; of Poisson
 * arrivals, at random again. A pause leaves out the requests of its time. After it, constant and Poisson arrivals begin
 * anew, and ramps and steps are where they would be without it.
 */
public final class Throttle {

    /**
     * A part of the phase in which the load is as planned, or as it was changed.
     *
     * @param from its beginning
     * @param users the number of users that run it, of all clients that share the plan
     * @param schedule of an open phase
     * @param begin the time from which on its offsets count
     */
    record Segment(long from, int users, boolean paused, Optional<Schedule> schedule, long begin) {

        private long startsBefore(long time, long atMost) {
            if (paused || schedule.isEmpty()) {
                return 0;
            }
            long earlier = from == begin ? 0 : schedule.get().startsBefore(from - begin, Long.MAX_VALUE);
            return schedule.get()
                            .startsBefore(time - begin, atMost > Long.MAX_VALUE - earlier ? atMost : atMost + earlier)
                    - earlier;
        }

        private String level(long time) {
            return schedule.map(any -> rate(any.perSecond(time - begin))).orElse(Integer.toString(users));
        }

        private static String rate(double perSecond) {
            return perSecond < 1e-6 ? "0/s" : Rate.perSecond(1).times(perSecond).toString();
        }
    }

    // Replaced as a whole.
    private volatile List<Segment> segments;

    /**
     * The load of a phase that begins.
     *
     * @param settings the phase's
     */
    public Throttle(PhaseSettings settings) {
        this(
                settings.allUsers(),
                settings.phase().load() instanceof Load.Open open ? Optional.of(open.schedule()) : Optional.empty());
        settings.plan().changes(settings.phase()).stream()
                .sorted(Comparator.comparing(LoadChange::at))
                .filter(change -> change.kind() != Kind.NEXT)
                .forEach(change -> change(change, change.at().toNanos()));
    }

    Throttle(int users, Optional<Schedule> schedule) {
        segments = List.of(new Segment(0, users, false, schedule, 0));
    }

    /**
     * Changes the load a moment from now.
     *
     * @param change a change that the phase can have, and that doesn't end it; its time doesn't count
     * @param elapsed the time since the phase's start
     * @param leadNanos the time from now to the change: longer than users take to learn of it
     * @return the time of the change, not before that of the last one
     */
    public synchronized long change(LoadChange change, LongSupplier elapsed, long leadNanos) {
        Segment last = last();
        Kind kind = change.kind();
        int users = kind == Kind.USERS ? change.users() : last.users;
        boolean paused = kind == Kind.PAUSE || kind != Kind.RESUME && last.paused;
        Optional<Schedule> schedule = last.schedule.map(of -> next(of, change));
        boolean goesOn = schedule.equals(last.schedule) && !(schedule.orElse(null) instanceof ConstantArrivals);
        List<Segment> more = new ArrayList<>(segments);
        // As late as possible: users that learned of the change after its time would have sent by the old schedule.
        long nanos = Math.max(elapsed.getAsLong() + leadNanos, last.from);
        more.add(new Segment(nanos, users, paused, schedule, goesOn ? last.begin : nanos));
        segments = List.copyOf(more);
        return nanos;
    }

    /** Changes the load at a time that no user has come to. */
    void change(LoadChange change, long nanos) {
        change(change, () -> nanos, 0);
    }

    private Schedule next(Schedule last, LoadChange change) {
        if (last instanceof PoissonArrivals poisson) {
            Rate rate = change.kind() == Kind.RATE ? change.rate() : poisson.rate();
            return new PoissonArrivals(rate, poisson.seed() + segments.size());
        }
        return change.kind() == Kind.RATE ? new ConstantArrivals(change.rate()) : last;
    }

    /** {@return the number of parts: one more than changes} */
    public int version() {
        return segments.size();
    }

    /**
     * The next change after a time.
     *
     * @param nanos since the phase's start
     * @return {@link Offsets#END} if none is known
     */
    public long nextNanos(long nanos) {
        return segments.stream()
                .mapToLong(Segment::from)
                .filter(from -> from > nanos)
                .findFirst()
                .orElse(Offsets.END);
    }

    /**
     * The load at a time.
     *
     * @param nanos since the phase's start
     * @return a rate such as {@code 100/s}, or the number of users, which a pause doesn't change
     */
    public String level(long nanos) {
        return segments.get(part(nanos)).level(nanos);
    }

    /**
     * The loads of a time span but for the one that begins at its end.
     *
     * @param from since the phase's start
     * @param to its end
     * @return such as {@code 100/s}, {@code 20}, {@code paused}, or several
     */
    public String loads(long from, long to) {
        List<Segment> own = segments.subList(part(from), Math.max(part(from) + 1, part(to)));
        return own.stream()
                .map(of -> of.paused ? "paused" : of.level(of.from))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /**
     * Whether the phase is paused at a time.
     *
     * @param nanos since the phase's start
     */
    public boolean paused(long nanos) {
        return segments.get(part(nanos)).paused;
    }

    /** {@return the most users that ran or will run the phase, of all clients that share the plan} */
    public int mostUsers() {
        return segments.stream().mapToInt(Segment::users).max().orElseThrow();
    }

    List<Segment> segments() {
        return segments;
    }

    private Segment last() {
        return segments.get(segments.size() - 1);
    }

    /**
     * The part of the phase at a time.
     *
     * @param nanos since the phase's start
     * @return by how often the load was changed before
     */
    public int part(long nanos) {
        List<Segment> all = segments;
        int at = all.size() - 1;
        while (at > 0 && all.get(at).from > nanos) {
            at--;
        }
        return at;
    }

    /**
     * Since when, or from when on, a user of a closed phase may begin iterations.
     *
     * @param number the user's, among all of the phase
     * @param now the time
     * @return the beginning of the part that has the user, this one or a later one; {@link Offsets#END} if none does
     */
    long activeFrom(int number, long now) {
        List<Segment> all = segments;
        for (int i = part(now); i < all.size(); i++) {
            if (!all.get(i).paused && number < all.get(i).users) {
                return all.get(i).from;
            }
        }
        return Offsets.END;
    }

    /** Whether an arrival, claimed in a part, isn't due any more: the load was changed before its time. */
    boolean revoked(int segment, long nanos) {
        List<Segment> all = segments;
        return all.size() > segment + 1 && all.get(segment + 1).from <= nanos;
    }

    /**
     * How many arrivals of an open phase are due before a time.
     *
     * @param nanos since the phase's start
     * @param atMost the end of the count
     * @return at most so many
     */
    public long startsBefore(long nanos, long atMost) {
        return startsBefore(segments.size(), nanos, atMost);
    }

    /** How many arrivals come before a part. */
    long startsBefore(int segment, long atMost) {
        return startsBefore(segment, segments.get(segment).from, atMost);
    }

    private long startsBefore(int parts, long nanos, long atMost) {
        List<Segment> all = segments;
        long count = 0;
        for (int i = 0; i < parts && all.get(i).from < nanos && count < atMost; i++) {
            long to = i + 1 < parts ? Math.min(nanos, all.get(i + 1).from) : nanos;
            count += all.get(i).startsBefore(to, atMost);
        }
        return Math.min(count, atMost);
    }
}
