package io.phaseload.events;

import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.LoopConnection;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.Sender;
import io.phaseload.events.shared.SharedConnection;
import io.phaseload.health.LoopLag;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Tally;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.user.Arrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One event loop's users in one phase, with what is recorded of them. All of it happens in the
 * loop's thread, so that nothing is shared while requests go.
 */
final class UserLoop {

    private final PhaseRun phase;
    private final LoopContext context;
    private final int part;
    private final int parts;
    private final Runnable ended;
    private List<Tally> tallies;
    private final List<EventUser> users = new ArrayList<>();
    private final WaitingUsers waiting = new WaitingUsers(this);
    // Its part of an open phase's requests, once that has begun.
    private Optional<Arrivals.Share> arrivals = Optional.empty();
    // The one that the next user shares, if users do and there is room.
    private SharedConnection shared;
    private int active;
    private boolean over;
    private final LagWatch lag;

    /**
     * Makes a loop's users, which don't send yet.
     *
     * @param phase what its users share
     * @param context the loop's
     * @param part the loop's index
     * @param parts how many loops there are; users go round them by their index
     * @param ended is called once, when the last of them has ended
     */
    UserLoop(PhaseRun phase, LoopContext context, int part, int parts, Runnable ended) {
        this.phase = phase;
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

    PhaseRun phase() {
        return phase;
    }

    /** Its users that wait. */
    WaitingUsers waiting() {
        return waiting;
    }

    /** What an open phase's user that is free is to send next. */
    Arrivals.Arrival claim(long now) {
        return arrivals.orElseThrow().claim(now - phase.startNanos());
    }

    /** What a user sends with. */
    Sender newSender(Sender.Listener user) {
        // Not by guard(), which would take an object a request.
        Sender.Listener guarded =
                (ready, result) -> {
                    try {
                        user.completed(ready, result);
                    } catch (RuntimeException | Error e) {
                        broken(e);
                    }
                };
        Protocol protocol = phase.settings().plan().engine().protocol();
        if (protocol.equals(Protocol.HTTP_1)) {
            return new LoopConnection(context, guarded);
        }
        if (shared == null || shared.users() == protocol.usersPerConnection()) {
            shared = SharedConnection.of(context, protocol);
        }
        return shared.newUser(guarded);
    }

    /** Gets all of them ready, before the phase begins. */
    void prepare() {
        guard(
                () -> {
                    for (int user = part; user < phase.settings().users(); user += parts) {
                        users.add(new EventUser(this, user));
                    }
                    active = users.size();
                });
    }

    /** Releases all of them; the phase has begun. */
    void start() {
        lag.start();
        context.connectQueue().setPace(phase.connectPace(), phase.endNanos());
        guard(
                () -> {
                    arrivals =
                            phase.arrivals()
                                    .map(all -> all.share(part, parts, phase.settings().users()));
                    users.forEach(EventUser::start);
                    waiting.wakeDue();
                    endIfLast();
                });
    }

    /** Ends users that wait; those with a request in flight end after it. */
    void stop(Duration limit) {
        context.abandonAfter(limit.toNanos());
        guard(
                () -> {
                    context.connectQueue().stop();
                    waiting.wakeAll();
                });
    }

    void record(int operation, long dueNanos, Exchange exchange) {
        tallies.get(operation).add(phase.sample(operation, dueNanos, exchange));
    }

    /** Takes what was recorded since the last call. */
    List<Tally> takeTallies() {
        List<Tally> full = tallies;
        tallies = newTallies();
        return full;
    }

    /** One that {@link #start()} counted has ended. */
    void ended() {
        active--;
        endIfLast();
    }

    private void endIfLast() {
        if (active == 0 && !over) {
            over = true;
            ended.run();
        }
    }

    /** Runs a part of what users do; if it breaks, the run ends, and keeps its counts. */
    void guard(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            broken(e);
        }
    }

    private void broken(Throwable e) {
        phase.control().fail(e);
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
        return Tally.newList(phase.settings().operations());
    }
}
