package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.engine.PhaseCourse;
import io.phaseload.engine.Reachability.Backoff;
import io.phaseload.engine.UserTime;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A user that runs iterations one after another: what {@code io.phaseload.engine.User} does in a
 * thread, as a state between one event and the next.
 */
final class ClosedUser {

    private final UserLoop loop;
    private final PhaseCourse course;
    private final Load.Closed load;
    private final List<LoopRequest> requests;
    private final Sender sender;
    private final SplittableRandom random;
    private final long iterations;
    private final long rampNanos;
    private long endNanos;

    private long iteration;
    private long intended;
    private boolean waited;
    private long begun;
    private int operation;
    private ScheduledFuture<?> waiting;
    private boolean over;
    private UserTime time;
    private Backoff backoff;

    ClosedUser(UserLoop loop, Load.Closed load, int index) {
        this.loop = loop;
        this.course = loop.course();
        this.load = load;
        this.requests = loop.context().requests();
        this.sender = loop.newSender(this::answered);
        this.random = course.random(index);
        this.iterations = course.iterations();
        this.rampNanos = course.rampNanos(index);
    }

    void start() {
        intended = course.startNanos() + rampNanos;
        endNanos = course.endsNanos();
        time = course.newUserTime();
        time.begin(intended);
        backoff = course.newBackoff();
        waited = System.nanoTime() - intended < 0;
        nextIteration();
    }

    /** Ends it, unless a request is in flight, after which it will see the stop itself. */
    void stop() {
        if (waiting != null) {
            waiting.cancel(false);
            waiting = null;
            end();
        }
    }

    private void nextIteration() {
        if (iteration == iterations) {
            end();
            return;
        }
        if (waited) {
            // What would begin after the end isn't waited for any longer than that.
            long begin = intended - endNanos < 0 ? intended : endNanos;
            time.pause(begin);
            long wait = begin - System.nanoTime();
            if (course.stopped()) {
                end();
                return;
            }
            if (wait > 0) {
                waiting = loop.context().schedule(() -> loop.guard(this::awake), wait);
                return;
            }
        }
        begin();
    }

    private void awake() {
        waiting = null;
        if (course.stopped()) {
            end();
        } else {
            begin();
        }
    }

    private void begin() {
        begun = System.nanoTime();
        if (begun - endNanos >= 0) {
            end();
            return;
        }
        operation = 0;
        send();
    }

    private void send() {
        if (course.stopped()) {
            end();
        } else {
            sender.exchange(requests.get(operation));
        }
    }

    private void answered(long readyNanos, Exchange exchange) {
        if (exchange == null) {
            end();
            return;
        }
        // Without a pause a request is meant to be sent when its user is free for it and the
        // connection is there.
        boolean planned = waited && operation == 0 && exchange.setUpNanos() == 0;
        long due = planned ? intended : readyNanos;
        loop.record(operation, due, exchange);
        time.add(due, exchange);
        operation++;
        long away = backoff.after(exchange);
        if (away > 0) {
            keepAway(exchange.endNanos() + away);
        } else {
            goOn(exchange.endNanos());
        }
    }

    /** From a target that can't be reached. */
    private void keepAway(long until) {
        long begin = until - endNanos < 0 ? until : endNanos;
        time.pause(begin);
        waiting =
                loop.context()
                        .schedule(() -> loop.guard(() -> back(begin)), begin - System.nanoTime());
    }

    private void back(long ended) {
        waiting = null;
        goOn(ended);
    }

    private void goOn(long ended) {
        if (operation < requests.size()) {
            send();
            return;
        }
        long thinking = draw(load.think());
        long pacing = draw(load.pacing());
        intended = Math.max(ended + thinking, (waited ? intended : begun) + pacing);
        waited = intended - ended > 0;
        iteration++;
        nextIteration();
    }

    private long draw(Pause pause) {
        long min = pause.min().toNanos();
        long max = pause.max().toNanos();
        return min == max ? min : random.nextLong(min, max + 1);
    }

    private void end() {
        if (!over) {
            over = true;
            sender.close();
            if (time != null) {
                course.add(time);
            }
            loop.ended();
        }
    }
}
