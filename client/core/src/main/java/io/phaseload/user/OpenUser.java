package io.phaseload.user;

import io.phaseload.measure.Exchange;
import io.phaseload.user.Arrivals.Arrival;

/**
 * A user of an open phase: when it is free it takes an arrival, and sends when that is due, or at
 * once if it is late. Operations take turns over all users.
 */
public final class OpenUser implements VirtualUser {

    private final int operations;
    private final long startNanos;
    private final long lastsUntilNanos;
    private final Backoff backoff;

    private boolean taken;
    private boolean noneLeft;
    private int operation;
    private long dueNanos;
    private long wakeNanos;

    /**
     * Creates a user that hasn't sent anything yet.
     *
     * @param settings its phase's
     * @param startNanos the phase's start
     * @param target whether the run's target can be reached
     */
    public OpenUser(PhaseSettings settings, long startNanos, Reachability target) {
        this.operations = settings.operations();
        this.startNanos = startNanos;
        this.lastsUntilNanos = startNanos + settings.leastNanos();
        // Once reached, an open load continues as planned, even if the target is unreachable for a
        // while.
        this.backoff = target.newBackoff(false, startNanos + settings.durationNanos());
        this.wakeNanos = startNanos;
    }

    /**
     * Gives the user its next request, after {@link VirtualUser.Action#CLAIM}.
     *
     * @param arrival the request; {@link Arrival#NONE} if none is left
     */
    public void take(Arrival arrival) {
        if (arrival == Arrival.NONE) {
            noneLeft = true;
            wakeNanos = lastsUntilNanos;
        } else {
            taken = true;
            operation = (int) (arrival.index() % operations);
            dueNanos = startNanos + arrival.offsetNanos();
            wakeNanos = dueNanos;
        }
    }

    @Override
    public Action next(long now, boolean stopped) {
        if (stopped) {
            return Action.END;
        }
        if (wakeNanos - now > 0) {
            return Action.WAIT;
        }
        if (noneLeft) {
            return Action.END;
        }
        return taken ? Action.SEND : Action.CLAIM;
    }

    @Override
    public int operation() {
        return operation;
    }

    @Override
    public long wakeNanos() {
        return wakeNanos;
    }

    @Override
    public long answered(long readyNanos, Exchange exchange) {
        taken = false;
        wakeNanos = backoff.until(exchange);
        return dueNanos;
    }

    @Override
    public void unsent() {
        noneLeft = true;
    }
}
