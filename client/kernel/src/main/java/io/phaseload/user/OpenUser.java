package io.phaseload.user;

import io.phaseload.measure.Exchange;
import io.phaseload.schedule.Offsets;
import io.phaseload.user.Arrivals.Arrival;
import java.time.Duration;

/**
 * A user of an open phase: it takes an arrival while it is free, and sends at that time, or at once if it is late. An
 * arrival is one of the operations, by turns over all users, or a journey.
 */
public final class OpenUser implements VirtualUser {

    /** It asks again after this time of a pause, whose end isn't known. */
    private static final long PAUSE_NANOS = Duration.ofHours(1).toNanos();

    private final Course course;
    private final long startNanos;
    private final long lastsUntilNanos;
    private final long endNanos;
    private final Backoff backoff;

    private final Throttle throttle;
    // How often the load was changed when it last asked for an arrival.
    private int version;
    private Arrival arrival = Arrival.NONE;
    private boolean taken;
    private boolean begun;
    // It has asked in vain.
    private boolean idle;
    private boolean noneLeft;
    // Of the request: whether it has a time at which it is to be sent, and which.
    private boolean planned;
    private long dueNanos;
    private long wakeNanos;
    // When it asked for an arrival, or was answered.
    private long freeNanos;

    /**
     * Creates a user that hasn't sent anything yet.
     *
     * @param settings its phase's
     * @param startNanos the phase's start
     * @param target true if the run's target can be reached
     */
    OpenUser(PhaseSettings settings, Throttle throttle, long startNanos, Reachability target, Course course) {
        this.course = course;
        this.throttle = throttle;
        this.version = throttle.version();
        this.startNanos = startNanos;
        this.lastsUntilNanos = startNanos + settings.leastNanos();
        this.endNanos = startNanos + settings.durationNanos();
        // Once reached, an open load continues as planned, even if the target is unreachable for a
        // while.
        this.backoff = target.newBackoff(false, startNanos + settings.durationNanos());
        this.wakeNanos = startNanos;
    }

    /**
     * Gives the user its next request, after {@link VirtualUser.Action#CLAIM}.
     *
     * @param claimed the request; {@link Arrival#NONE} if none is left
     */
    public void take(Arrival claimed) {
        arrival = claimed;
        idle = claimed.offsetNanos() == Offsets.END;
        if (claimed == Arrival.NONE) {
            end();
        } else if (idle) {
            wakeNanos = Math.min(freeNanos + PAUSE_NANOS - endNanos, 0) + endNanos;
        } else {
            taken = true;
            begun = false;
            plan(startNanos + claimed.offsetNanos());
        }
    }

    private void end() {
        noneLeft = true;
        wakeNanos = lastsUntilNanos;
    }

    private void plan(long nanos) {
        planned = true;
        dueNanos = nanos;
        wakeNanos = nanos;
    }

    @Override
    public Action next(long now, boolean stopped) {
        if (stopped) {
            return Action.END;
        }
        if (throttle.version() != version) {
            changed(now);
        }
        if (wakeNanos - now > 0) {
            return Action.WAIT;
        }
        if (noneLeft) {
            return Action.END;
        }
        if (!taken) {
            freeNanos = now;
            return Action.CLAIM;
        }
        return begun ? Action.SEND : begin(now);
    }

    /** The load was changed: an arrival after that is another one now. */
    private void changed(long now) {
        version = throttle.version();
        if (idle || taken && !begun && throttle.revoked(arrival.segment(), arrival.offsetNanos())) {
            idle = false;
            noneLeft = false;
            taken = false;
            wakeNanos = now;
        }
    }

    private Action begin(long now) {
        long pause = course.begin(arrival.index(), 1);
        if (pause < 0) {
            taken = false;
            end();
        } else {
            begun = true;
            plan(dueNanos + pause);
        }
        return wakeNanos - now > 0 ? Action.WAIT : noneLeft ? Action.END : Action.SEND;
    }

    @Override
    public Course course() {
        return course;
    }

    @Override
    public long wakeNanos() {
        return wakeNanos;
    }

    @Override
    public long dueNanos(long readyNanos, boolean fresh) {
        return planned ? dueNanos : readyNanos;
    }

    @Override
    public boolean waited() {
        return planned && dueNanos - freeNanos > 0;
    }

    @Override
    public long answered(long readyNanos, Exchange exchange) {
        long due = dueNanos(readyNanos, false);
        wakeNanos = backoff.until(exchange);
        freeNanos = exchange.endNanos();
        goOn(course.answered(due, exchange));
        return due;
    }

    @Override
    public void refused(long now) {
        wakeNanos = now + REFUSED_NANOS;
        goOn(course.refused());
    }

    private void goOn(long pause) {
        planned = false;
        if (pause < 0) {
            taken = false;
        } else if (pause > 0) {
            plan(wakeNanos + pause);
        }
    }

    @Override
    public void unsent() {
        noneLeft = true;
        idle = false;
    }
}
