package io.phaseload.user;

import io.phaseload.measure.Exchange;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.util.SplittableRandom;

/**
 * A user of a closed phase: it runs iterations one after another; each sends the scenario's
 * operations in order.
 *
 * <p>The intended start of an iteration is the end of the last one + think time, or the intended
 * start of the last one + pacing, whichever is later. An iteration that begins before the phase's
 * end is completed. Backing off from an unreachable target is part of the iteration.
 */
public final class ClosedUser implements VirtualUser {

    private final Load.Closed load;
    private final SplittableRandom random;
    private final UserTime time;
    private final Backoff backoff;
    private final int operations;
    private final long endNanos;

    private long iterationsLeft;
    private int operation;
    // Of the iteration: when it is intended to start, whether there is a pause before that, and
    // when
    // it did start.
    private long intendedNanos;
    private boolean paused;
    private long startedNanos;
    private long wakeNanos;

    /**
     * Creates a user that hasn't sent anything yet.
     *
     * @param settings its phase's
     * @param load the phase's
     * @param index the user's, from 0
     * @param startNanos the phase's start
     * @param now the time
     * @param target whether the run's target can be reached
     */
    public ClosedUser(
            PhaseSettings settings,
            Load.Closed load,
            int index,
            long startNanos,
            long now,
            Reachability target) {
        this.load = load;
        this.random = settings.random(index);
        this.time = new UserTime(settings.paced());
        this.operations = settings.operations();
        this.endNanos = startNanos + settings.durationNanos();
        this.backoff = target.newBackoff(true, endNanos);
        this.iterationsLeft = settings.iterations();
        long begin = startNanos + settings.rampNanos(index);
        time.begin(begin);
        intend(begin, now);
    }

    @Override
    public Action next(long now, boolean stopped) {
        if (stopped || iterationsLeft == 0) {
            time.end(now);
            return Action.END;
        }
        if (wakeNanos - now > 0) {
            return Action.WAIT;
        }
        if (operation == 0) {
            if (now - endNanos >= 0) {
                return Action.END;
            }
            startedNanos = now;
        }
        return Action.SEND;
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
        // Without a pause, a request is due when its user is free and the connection is
        // there.
        boolean planned = paused && operation == 0 && exchange.setUpNanos() == 0;
        long due = planned ? intendedNanos : readyNanos;
        time.add(due, exchange);
        wakeNanos = backoff.until(exchange);
        time.pause(wakeNanos);
        operation++;
        if (operation == operations) {
            endIteration(wakeNanos);
        }
        return due;
    }

    private void endIteration(long ended) {
        long thought = ended + draw(load.think());
        long paced = (paused ? intendedNanos : startedNanos) + draw(load.pacing());
        operation = 0;
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
