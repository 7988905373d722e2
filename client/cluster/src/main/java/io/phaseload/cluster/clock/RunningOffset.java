package io.phaseload.cluster.clock;

import java.util.Optional;

/**
 * By how much another machine's clock is ahead of this one's, as far as all exchanges so far prove it. Its bounds widen
 * with time, by 100 ppm, and each exchange narrows them again: both hold, so the truth is in both. Thread-safe.
 */
public final class RunningOffset {

    /** Nanoseconds from the time where the bounds hold: the last answer's, by this machine's clock. */
    private record Bounds(long lower, long upper, long at) {

        Bounds later(long now) {
            long wider = ClockOffset.drift(now - at);
            return new Bounds(lower - wider, upper + wider, now);
        }
    }

    /**
     * A time by this machine's clock.
     *
     * @param nanos the middle of its bounds
     * @param error the largest error of that: nanoseconds, 1 or more
     */
    public record Here(long nanos, long error) {}

    // Guarded by this.
    private Optional<Bounds> bounds = Optional.empty();

    /** Creates one that knows nothing. */
    public RunningOffset() {}

    /**
     * Another exchange has ended.
     *
     * @param exchange later than those before it
     */
    public synchronized void add(ClockExchange exchange) {
        // What it proves held some time while it took place.
        long wider = ClockOffset.drift(exchange.returned() - exchange.sent());
        Bounds own = new Bounds(exchange.lower() - wider, exchange.upper() + wider, exchange.returned());
        bounds = bounds.map(before -> before.later(own.at))
                .map(before -> new Bounds(Math.max(before.lower, own.lower), Math.min(before.upper, own.upper), own.at))
                // If both can't be true, a clock was stepped.
                .filter(both -> both.lower <= both.upper)
                .or(() -> Optional.of(own));
    }

    /** {@return true if there was an exchange: if there was} */
    public synchronized boolean isKnown() {
        return bounds.isPresent();
    }

    /**
     * A time of the other machine by this one's clock.
     *
     * @param there by the other machine's clock, which may be before the last exchange or after it
     * @return by this one's
     * @throws IllegalStateException before the first exchange
     */
    public synchronized Here here(long there) {
        Bounds known = bounds.orElseThrow(() -> new IllegalStateException("no exchange yet"));
        long nanos = there - known.lower - (known.upper - known.lower) / 2;
        long half = (known.upper - known.lower + 1) / 2;
        return new Here(nanos, Math.max(1, half + ClockOffset.drift(nanos - known.at)));
    }
}
