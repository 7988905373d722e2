package io.phaseload.events;

import io.phaseload.engine.OwnTime;
import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.LoopConnection;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopSender;
import io.phaseload.events.shared.SharedConnection;
import io.phaseload.events.shared.SharedProtocol;
import io.phaseload.events.stream.StreamUser;
import io.phaseload.health.ThreadDelay;
import io.phaseload.http.stream.EventListener;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.user.Arrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One event loop's users in one phase, and their records. Everything happens in the loop's thread, so that sending
 * shares nothing.
 */
final class UserLoop implements LoopGroup.Member {

    private final PhaseRun phase;
    private final LoopContext context;
    private final Optional<LoopSocketSteps> sockets;
    private final int part;
    private final int parts;
    private final Runnable ended;
    private final boolean streams;
    private final LoopRecords records;
    private final List<EventUser> users = new ArrayList<>();
    private final WaitingUsers waiting = new WaitingUsers(this);
    // Its share of an open phase's requests, once the phase has started.
    private Optional<Arrivals.Share> arrivals = Optional.empty();
    // The connection that the next user shares, if users share connections and it has room.
    private SharedConnection shared;
    private int active;
    private boolean over;
    // From the start of the phase.
    private Optional<ThreadDelay> delay = Optional.empty();

    /**
     * Creates a loop's users, which don't send yet.
     *
     * @param context the loop's
     * @param sockets the users' WebSockets; empty if they don't
     * @param part the loop's index
     * @param parts the number of loops; users are assigned to them in turn by index
     * @param ended called once, when the last of them has ended
     */
    UserLoop(
            PhaseRun phase,
            LoopContext context,
            Optional<LoopSocketSteps> sockets,
            int part,
            int parts,
            Runnable ended) {
        this.phase = phase;
        this.context = context;
        this.sockets = sockets;
        this.part = part;
        this.parts = parts;
        this.ended = ended;
        this.streams = !phase.settings().plan().scenario().streams().isEmpty();
        this.records =
                new LoopRecords(phase, context, parts, sharing(phase.settings().plan()), phase.requestLog());
    }

    LoopContext context() {
        return context;
    }

    PhaseRun phase() {
        return phase;
    }

    /** The number of users that share a connection whose responses come in any order; 0 if they come in order. */
    private static int sharing(Plan plan) {
        Protocol protocol = plan.engine().protocol();
        return protocol instanceof Protocol.Http2 || protocol.equals(Protocol.HTTP_1)
                ? protocol.usersPerConnection()
                : 0;
    }

    /** Its waiting users. */
    WaitingUsers waiting() {
        return waiting;
    }

    /** Claims the next request for a free user of an open phase. */
    Arrivals.Arrival claim(long now) {
        return arrivals.orElseThrow().claim(now - phase.startNanos());
    }

    /** Creates a user's sender; the user also gets the times of streams of events. */
    LoopSender newSender(LoopSender.Listener user, EventListener events) {
        // Not by guard(), which would cost an object per request.
        LoopSender.Listener guarded = (ready, result) -> {
            try {
                user.completed(ready, result);
            } catch (RuntimeException | Error e) {
                broken(e);
            }
        };
        Protocol protocol = phase.settings().plan().engine().protocol();
        if (protocol.equals(Protocol.HTTP_1)) {
            return streams ? new StreamUser(context, guarded, events) : new LoopConnection(context, guarded);
        }
        if (shared == null || shared.users() == protocol.usersPerConnection()) {
            shared = SharedProtocol.newConnection(context, protocol);
        }
        return shared.newUser(guarded);
    }

    /** Measures the client's own part in a user's response times, once the phase has started. */
    OwnTime newOwnTime() {
        return new OwnTime(phase, delay.orElseThrow());
    }

    /** The users' WebSockets; empty if they have none. */
    Optional<LoopSocketSteps> sockets() {
        return sockets;
    }

    /** Gets all users ready, before the phase starts. */
    void prepare() {
        guard(() -> {
            addUsers(phase.mostUsers());
            active = users.size();
        });
    }

    private void addUsers(int count) {
        for (int user = part + users.size() * parts; user < count; user += parts) {
            users.add(new EventUser(this, user));
        }
    }

    /** The phase's load was changed: adds users that are missing, and wakes those that wait. */
    void changed(int count) {
        guard(() -> {
            if (over) {
                return;
            }
            int before = users.size();
            addUsers(count);
            active += users.size() - before;
            List.copyOf(users.subList(before, users.size())).forEach(EventUser::start);
            waiting.wakeAll();
            waiting.wakeDue();
        });
    }

    /** Releases all users; the phase has started. */
    void start() {
        records.lag().start();
        delay = Optional.of(ThreadDelay.ofThisThread(OwnTime.everyNanos(parts)));
        context.connectQueue().setPace(phase.connectPace(), phase.endNanos());
        guard(() -> {
            arrivals = phase.arrivals()
                    .map(all -> all.share(part, parts, phase.settings().users()));
            users.forEach(EventUser::start);
            waiting.wakeDue();
            endIfLast();
        });
    }

    /** Ends waiting users; those with a request in flight end after it. */
    void stop(Duration limit) {
        context.abandonAfter(limit.toNanos());
        guard(() -> {
            context.connectQueue().stop();
            waiting.wakeAll();
        });
    }

    @Override
    public LoopRecords records() {
        return records;
    }

    /** A user that {@link #start()} counted has ended. */
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

    /** Runs a step of the users; an exception ends the run, which keeps its counts. */
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

    void close() {
        records.lag().stop();
        delay.ifPresent(ThreadDelay::close);
        context.close();
    }
}
