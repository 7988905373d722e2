package io.phaseload.user;

import io.phaseload.measure.Exchange;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.util.SplittableRandom;

/**
 * A user of a closed phase: it runs iterations one after another, each the scenario's operations in order, or a
 * journey.
 *
 * <p>An iteration is intended to start at the end of the one before + think time, or at its intended start + pacing,
 * whichever is later. One that begins before the phase's end is run to its own end, with the pauses within it. Time
 * spent away from an unreachable target belongs to the iteration.
 */
public final class ClosedUser implements VirtualUser {

    private final Load.Closed load;
    private final SplittableRandom random;
    private final UserTime time;
    private final Backoff backoff;
    private final Course course;
    private final int number;
    private final Throttle throttle;
    private final long startNanos;
    private final boolean timed;
    private final long endNanos;

    private long iterationsLeft;
    // Of the iteration: when it is intended to start, whether there is a pause before that, whether
    // it has begun, and when it did start.
    private long intendedNanos;
    private boolean paused;
    private boolean begun;
    private long startedNanos;
    // It isn't its turn, since the load was changed.
    private boolean idle;
    // Of the request: whether there is a pause before it, and when that ends.
    private boolean planned;
    private long plannedNanos;
    private long wakeNanos;

    /**
     * Creates a user that hasn't sent anything yet.
     *
     * @param settings its phase's
     * @param load the phase's
     * @param throttle says who may begin an iteration
     * @param index the user's, from 0
     * @param startNanos the phase's start
     * @param now the time
     * @param target true if the run's target can be reached
     */
    ClosedUser(
            PhaseSettings settings,
            Load.Closed load,
            Throttle throttle,
            int index,
            long startNanos,
            long now,
            Reachability target,
            Course course) {
        this.load = load;
        this.random = settings.random(index);
        this.time = new UserTime(settings.paced());
        this.course = course;
        this.number = settings.plan().part().user(index);
        this.throttle = throttle;
        this.startNanos = startNanos;
        this.timed = settings.timed();
        this.endNanos = startNanos + settings.durationNanos();
        this.backoff = target.newBackoff(true, endNanos);
        this.iterationsLeft = settings.iterations(index);
        long begin = startNanos + settings.rampNanos(index);
        time.begin(begin);
        if (begin - endNanos >= 0) {
            time.notDue();
        }
        intend(begin, now);
    }

    @Override
    public Action next(long now, boolean stopped) {
        if (stopped || iterationsLeft == 0) {
            time.end(now);
            return Action.END;
        }
        if (!begun && throttle.version() > 1) {
            awaitTurn(now);
        }
        if (wakeNanos - now > 0) {
            return Action.WAIT;
        }
        if (!begun) {
            if (now - endNanos >= 0) {
                return Action.END;
            }
            if (!begin(now)) {
                iterationsLeft = 0;
                time.end(now);
                return Action.END;
            }
            if (wakeNanos - now > 0) {
                return Action.WAIT;
            }
        }
        return Action.SEND;
    }

    /** The load was changed: it may be that fewer users run, or that it is this one's turn again. */
    private void awaitTurn(long now) {
        long turn = throttle.activeFrom(number, now - startNanos);
        boolean active = turn <= now - startNanos;
        if (!active) {
            idle = true;
            wakeNanos = startNanos + Math.min(turn, endNanos - startNanos);
        } else if (idle) {
            idle = false;
            // The iteration is due at that time, and so is the first one of a user that was added.
            intend(startNanos + Math.max(intendedNanos - startNanos, turn), startNanos - 1);
        }
    }

    private boolean begin(long now) {
        startedNanos = now;
        long pause = course.begin(number, timed ? 1 : iterationsLeft);
        if (pause < 0) {
            return false;
        }
        begun = true;
        planned = paused;
        plannedNanos = intendedNanos;
        if (pause > 0) {
            pauseFor(pause, now);
        }
        return true;
    }

    /** Pauses within an iteration. */
    private void pauseFor(long nanos, long now) {
        planned = true;
        plannedNanos = now + nanos;
        wakeNanos = plannedNanos;
        time.pause(wakeNanos);
    }

    @Override
    public Course course() {
        return course;
    }

    @Override
    public long wakeNanos() {
        return wakeNanos;
    }

    /** Without a pause, a request is due when its user is free and the connection is there. */
    @Override
    public long dueNanos(long readyNanos, boolean fresh) {
        return planned && !fresh ? plannedNanos : readyNanos;
    }

    @Override
    public boolean waited() {
        return planned;
    }

    @Override
    public long answered(long readyNanos, Exchange exchange) {
        long due = dueNanos(readyNanos, exchange.setUpNanos() > 0);
        time.add(due, exchange);
        wakeNanos = backoff.until(exchange);
        time.pause(wakeNanos);
        goOn(course.answered(due, exchange));
        return due;
    }

    @Override
    public void refused(long now) {
        wakeNanos = now + REFUSED_NANOS;
        time.pause(wakeNanos);
        goOn(course.refused());
    }

    private void goOn(long pause) {
        planned = false;
        if (pause < 0) {
            endIteration(wakeNanos);
        } else if (pause > 0) {
            pauseFor(pause, wakeNanos);
        }
    }

    private void endIteration(long ended) {
        long thought = ended + course.restNanos() + draw(load.think());
        long paced = (paused ? intendedNanos : startedNanos) + draw(load.pacing());
        begun = false;
        iterationsLeft--;
        if (iterationsLeft > 0) {
            intend(thought - paced > 0 ? thought : paced, ended);
        }
    }

    /** Plans the next iteration for a user that is free. */
    private void intend(long start, long freeNanos) {
        intendedNanos = start;
        paused = start - freeNanos > 0;
        // Don't wait beyond the phase's end.
        wakeNanos = start - endNanos < 0 ? start : endNanos;
        if (paused) {
            time.pause(wakeNanos);
        }
    }

    @Override
    public void unsent() {
        iterationsLeft = 0;
    }

    /**
     * How it spent its time; complete when the user has ended.
     *
     * @return the same one at each call
     */
    public UserTime time() {
        return time;
    }

    private long draw(Pause pause) {
        long min = pause.min().toNanos();
        long max = pause.max().toNanos();
        return min == max ? min : random.nextLong(min, max + 1);
    }
}
