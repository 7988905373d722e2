package io.phaseload.user;

import io.phaseload.measure.Mixing;
import io.phaseload.measure.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * The traces of one user in one phase. All ids follow from the plan's seed, the phase, and the arrival or the user and
 * its iteration: they are the same in each run, and with each engine. Like {@link VirtualUser}, owned by one thread.
 *
 * <p>Within a phase, no two traces have the same id: {@link Mixing#mix} has another result for each number, so the
 * first half of an id differs between users or arrivals, and the second half between the iterations of a user.
 */
final class Traces {

    private static final double RANGE = 0x1p63;

    private final long phase;
    private final boolean open;
    private final double limit;
    private long begun;
    private boolean traced;
    private long high;
    private long low;
    private long spans;

    /**
     * Those of a user.
     *
     * @param open true if a turn is an arrival, of which there is one
     */
    Traces(long seed, String phase, boolean open, double percent) {
        long mixed = Mixing.mix(seed);
        for (char each : phase.toCharArray()) {
            mixed = Mixing.mix(mixed + each);
        }
        this.phase = mixed;
        this.open = open;
        this.limit = percent / 100 * RANGE;
    }

    /** The next trace begins: that of an arrival, or of a user's next iteration. */
    void begin(long turn) {
        high = Mixing.mix(phase + turn);
        low = Mixing.mix(high + (open ? 0 : begun++));
        traced = (Mixing.mix(low) >>> 1) < limit;
        spans = 0;
    }

    /** The place of the next request in the trace; {@code null} if it isn't sent as one. */
    @Nullable TraceContext next() {
        return traced ? TraceContext.of(high, low, Mixing.mix(low + ++spans)) : null;
    }
}
