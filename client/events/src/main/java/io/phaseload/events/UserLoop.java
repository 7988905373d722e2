package io.phaseload.events;

import io.phaseload.engine.PhaseCourse;
import io.phaseload.events.connection.LoopConnection;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.Sender;
import io.phaseload.events.shared.Http2Connection;
import io.phaseload.events.shared.PipelinedConnection;
import io.phaseload.events.shared.SharedConnection;
import io.phaseload.health.HealthMeter;
import io.phaseload.health.LoopLag;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One event loop's users in one phase, with what is recorded of them. All of it happens in the
 * loop's thread, so that nothing is shared while requests go.
 */
final class UserLoop {

    private final PhaseCourse course;
    private final LoopContext context;
    private final int part;
    private final int parts;
    private final Runnable ended;
    private List<Tally> tallies;
    private final List<ClosedUser> closed = new ArrayList<>();
    private OpenUsers open;
    // The one that the next user shares, if users do and there is room.
    private SharedConnection shared;
    private int active;
    private boolean over;
    private final LagWatch lag;
    private HealthMeter health;

    /**
     * Makes a loop's users, which don't send yet.
     *
     * @param course the phase's
     * @param context the loop's
     * @param part the loop's index
     * @param parts how many loops there are; users go round them by their index
     * @param ended is called once, when the last of them has ended
     */
    UserLoop(PhaseCourse course, LoopContext context, int part, int parts, Runnable ended) {
        this.course = course;
        this.context = context;
        this.part = part;
        this.parts = parts;
        this.ended = ended;
        this.tallies = newTallies();
        this.lag = new LagWatch(context);
    }

    LoopContext context() {
        return context;
    }

    PhaseCourse course() {
        return course;
    }

    /** What a user sends with. */
    Sender newSender(Sender.Listener user) {
        // Not by guard(), which would take an object a request.
        Sender.Listener guarded =
                (ready, exchange) -> {
                    try {
                        user.completed(ready, exchange);
                    } catch (RuntimeException | Error e) {
                        broken(e);
                    }
                };
        Protocol protocol = course.plan().engine().protocol();
        if (protocol.equals(Protocol.HTTP_1)) {
            return new LoopConnection(context, guarded);
        }
        if (shared == null || shared.users() == protocol.usersPerConnection()) {
            shared =
                    protocol instanceof Protocol.Http2 http2
                            ? new Http2Connection(context, http2.windows())
                            : new PipelinedConnection(context);
        }
        return shared.newUser(guarded);
    }

    /** Gets all of them ready, before the phase begins. */
    void prepare() {
        guard(
                () -> {
                    if (course.phase().load() instanceof Load.Closed load) {
                        for (int user = part; user < course.users(); user += parts) {
                            closed.add(new ClosedUser(this, load, user));
                        }
                        active = closed.size();
                    } else {
                        open = new OpenUsers(this, (course.users() - part + parts - 1) / parts);
                        active = 1;
                    }
                });
    }

    /** Lets all of them go; the phase has begun. */
    void start() {
        health = course.health();
        lag.start();
        context.connectQueue().setPace(course.connectPace(), course.endsNanos());
        guard(
                () -> {
                    closed.forEach(ClosedUser::start);
                    if (open != null) {
                        open.start(course.arrivals().share(part, parts, course.users()));
                    }
                });
    }

    /** Ends whoever waits; those with a request in flight end after it. */
    void stop(Duration limit) {
        context.abandonAfter(limit.toNanos());
        guard(
                () -> {
                    context.connectQueue().stop();
                    closed.forEach(ClosedUser::stop);
                    if (open != null) {
                        open.stop();
                    }
                });
    }

    void record(int operation, long intendedNanos, Exchange exchange) {
        boolean stalled = health.touched(intendedNanos, exchange.endNanos());
        tallies.get(operation).add(new Sample(operation, intendedNanos, exchange, stalled));
    }

    /** Takes what was recorded since the last call. */
    List<Tally> takeTallies() {
        List<Tally> full = tallies;
        tallies = newTallies();
        return full;
    }

    /** One that {@link #start()} counted has ended. */
    void ended() {
        if (--active == 0 && !over) {
            over = true;
            ended.run();
        }
    }

    /** Runs a part of what users do; if it breaks, the run ends, with its books. */
    void guard(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            broken(e);
        }
    }

    private void broken(Throwable e) {
        course.fail(e);
        if (!over) {
            over = true;
            ended.run();
        }
    }

    /** How late the loop was so far; may be asked by any thread. */
    LoopLag lag() {
        return lag.lag();
    }

    void close() {
        lag.stop();
        context.close();
    }

    private List<Tally> newTallies() {
        return course.plan().scenario().operations().stream()
                .map(operation -> new Tally())
                .toList();
    }
}
