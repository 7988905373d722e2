package io.phaseload.user;

import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The same operations in each iteration, in order; or, in an open phase, where an arrival is one
 * request, one of them, by turns over all users.
 */
final class FixedCourse implements Course {

    private final int operations;
    private final boolean open;
    private int operation;
    private int end;

    FixedCourse(int operations, boolean open) {
        this.operations = operations;
        this.open = open;
    }

    @Override
    public long begin(long turn, long left) {
        operation = open ? (int) (turn % operations) : 0;
        end = open ? operation + 1 : operations;
        return 0;
    }

    @Override
    public int operation() {
        return operation;
    }

    @Override
    public @Nullable Session session() {
        return null;
    }

    @Override
    public long answered(long dueNanos, Exchange exchange) {
        return ++operation < end ? 0 : OVER;
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
