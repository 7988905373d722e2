package io.phaseload.cluster.clock;

import java.util.Comparator;
import java.util.List;

/**
 * By how much another machine's clock is ahead of this one's, as far as exchanges prove it: the intersection of what
 * each of them says (Marzullo 1984).
 *
 * <pre>offset ∈ [max(t3 − t4), min(t2 − t1)]</pre>
 *
 * <p>That assumes nothing of the routes. It does assume that the clocks run alike: a burst of exchanges takes a moment,
 * and for what is later the bound grows, by 100 ppm.
 *
 * @param lower nanoseconds
 * @param upper nanoseconds, {@code lower} or more
 * @param measured the time when the last answer came, by this machine's clock
 * @param delay the least time that both messages of one were under way: nanoseconds
 * @param medianDelay of all of them
 * @param p99Delay of all of them; the longest if there were less than a hundred
 * @param estimate the middle of the quickest exchange's own bounds, which is the offset if its messages took equally
 *     long
 * @param consistent true if all exchanges can be true; if not, a clock was stepped, and the bounds are those of the
 *     quickest exchange alone
 */
public record ClockOffset(
        long lower,
        long upper,
        long measured,
        int exchanges,
        long delay,
        long medianDelay,
        long p99Delay,
        long estimate,
        boolean consistent) {

    /** Nanoseconds that two clocks may part in a second: 100 ppm. */
    private static final long DRIFT = 100_000;

    private static final long SECOND = 1_000_000_000L;

    /**
     * The bounds that exchanges prove.
     *
     * @param burst one or more, in order
     * @return the offset at the end of them
     */
    public static ClockOffset of(List<ClockExchange> burst) {
        ClockExchange quickest =
                burst.stream().min(Comparator.comparing(ClockExchange::delay)).orElseThrow();
        long lower = burst.stream().mapToLong(ClockExchange::lower).max().getAsLong();
        long upper = burst.stream().mapToLong(ClockExchange::upper).min().getAsLong();
        long last = burst.get(burst.size() - 1).returned();
        long[] delays = burst.stream().mapToLong(ClockExchange::delay).sorted().toArray();
        boolean consistent = lower <= upper;
        return new ClockOffset(
                consistent ? lower : quickest.lower(),
                consistent ? upper : quickest.upper(),
                last,
                burst.size(),
                delays[0],
                delays[delays.length / 2],
                delays[Math.min(delays.length - 1, delays.length * 99 / 100)],
                quickest.lower() + quickest.delay() / 2,
                consistent);
    }

    /** {@return the middle of the bounds: nanoseconds} */
    public long middle() {
        return lower + (upper - lower) / 2;
    }

    /**
     * How far the truth may be from {@link #middle()} at another time.
     *
     * @param now by this machine's clock
     * @return nanoseconds, 0 or more
     */
    public long error(long now) {
        return (upper - lower + 1) / 2 + drift(now - measured);
    }

    /** How far clocks may part in some nanoseconds, forth or back. */
    static long drift(long nanos) {
        long age = Math.abs(nanos);
        return age / SECOND * DRIFT + age % SECOND * DRIFT / SECOND;
    }

    /**
     * A time of this machine by the other one's clock.
     *
     * @param here by this machine's clock
     * @return by the other's, give or take {@link #error}
     */
    public long there(long here) {
        return here + middle();
    }

    /**
     * A time of the other machine by this one's clock.
     *
     * @param there by the other machine's clock
     * @return by this one's, give or take {@link #error}
     */
    public long here(long there) {
        return there - middle();
    }
}
