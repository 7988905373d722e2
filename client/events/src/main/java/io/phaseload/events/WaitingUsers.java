package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.user.TimerLead;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/** One loop's waiting users, which share one timer. Used only by the loop's thread. */
final class WaitingUsers {

    private final UserLoop loop;
    private final Runnable timerTask = this::timerEnded;
    private final Queue<EventUser> waiting = new PriorityQueue<>((a, b) -> Long.signum(a.wakeNanos() - b.wakeNanos()));
    // Null if no timer is set.
    private ScheduledFuture<?> timer;
    private long timerNanos;
    private long setNanos;
    private final TimerLead lead = new TimerLead();

    WaitingUsers(UserLoop loop) {
        this.loop = loop;
    }

    /** Adds a user, which {@link #wakeDue()} wakes, even if it is already due. */
    void add(EventUser user) {
        waiting.add(user);
    }

    /** Wakes the users that are due. */
    void wakeDue() {
        while (!waiting.isEmpty()) {
            long wake = waiting.peek().wakeNanos();
            long now = System.nanoTime();
            if (wake - now > 0) {
                setTimer(wake, now);
                return;
            }
            waiting.poll().goOn();
        }
    }

    /** Wakes all users: the run was stopped. */
    void wakeAll() {
        cancelTimer();
        List<EventUser> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(EventUser::goOn);
    }

    /** A timer for an earlier time is kept: it is set again when it fires. */
    private void setTimer(long nanos, long now) {
        if (timer == null || nanos - timerNanos < 0) {
            cancelTimer();
            timerNanos = nanos;
            long left = nanos - now;
            // A loop that is due again so soon is busy: it must not spin.
            setNanos = left > 4 * lead.nanos() ? nanos - lead.nanos() : nanos;
            timer = loop.context().schedule(timerTask, setNanos - now);
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void timerEnded() {
        timer = null;
        lead.woke(System.nanoTime() - setNanos);
        while (System.nanoTime() - timerNanos < 0) {
            Thread.onSpinWait();
        }
        loop.guard(this::wakeDue);
    }
}
