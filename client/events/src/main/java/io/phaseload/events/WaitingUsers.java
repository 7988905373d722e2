package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * One loop's users that wait, each for its time, and the one timer that they have in common. Used
 * by the loop's thread alone.
 */
final class WaitingUsers {

    private final UserLoop loop;
    private final Runnable timerTask = this::timerEnded;
    private final Queue<EventUser> waiting =
            new PriorityQueue<>((a, b) -> Long.signum(a.wakeNanos() - b.wakeNanos()));
    // Null while there is none.
    private ScheduledFuture<?> timer;
    private long timerNanos;

    WaitingUsers(UserLoop loop) {
        this.loop = loop;
    }

    /** One more, which {@link #wakeDue()} wakes, even if its time has come. */
    void add(EventUser user) {
        waiting.add(user);
    }

    /** Those whose time has come go on. */
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

    /** All go on: the run was stopped. */
    void wakeAll() {
        cancelTimer();
        List<EventUser> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(EventUser::goOn);
    }

    /** One that is set for an earlier time is left: it is set again then. */
    private void setTimer(long nanos, long now) {
        if (timer == null || nanos - timerNanos < 0) {
            cancelTimer();
            timerNanos = nanos;
            timer = loop.context().schedule(timerTask, nanos - now);
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
        loop.guard(this::wakeDue);
    }
}
