package io.phaseload.user;

import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * The same operations in each iteration, in order; or, in an open phase, where an arrival is one request, one of them,
 * by turns over all users.
 */
final class FixedCourse implements Course {

    private final int[] order;
    private final boolean open;
    private final @Nullable Traces traces;
    private long turn;
    private int at;
    private int end;

    FixedCourse(int[] order, boolean open, @Nullable Traces traces) {
        this.order = order;
        this.open = open;
        this.traces = traces;
    }

    @Override
    public long begin(long next, long left) {
        turn = next;
        at = open ? (int) (turn % order.length) : 0;
        end = open ? at + 1 : order.length;
        return 0;
    }

    @Override
    public int operation() {
        return order[at];
    }

    @Override
    public @Nullable Session session() {
        return null;
    }

    /** Its requests don't depend on each other: each has a trace of its own. */
    @Override
    public @Nullable TraceContext trace() {
        if (traces == null) {
            return null;
        }
        traces.begin(turn);
        return traces.next();
    }

    @Override
    public long answered(long dueNanos, Exchange exchange) {
        return ++at < end ? 0 : OVER;
    }

    @Override
    public long refused() {
        throw new IllegalStateException("a request that is the same each time can be written");
    }

    @Override
    public long restNanos() {
        return 0;
    }
}
