package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.user.VirtualUser;

/** A closed phase's user: it does what {@link VirtualUser} says, from one event to the next. */
final class EventUser {

    private final UserLoop loop;
    private final PhaseRun phase;
    private final int index;
    private final Sender sender;
    private VirtualUser user;
    private ScheduledFuture<?> waiting;

    EventUser(UserLoop loop, int index) {
        this.loop = loop;
        this.phase = loop.phase();
        this.index = index;
        this.sender = loop.newSender(this::answered);
    }

    void start() {
        long now = System.nanoTime();
        user = phase.newUser(index, now);
        goOn(now);
    }

    /** Ends it, unless a request is in flight, after which it will see the stop itself. */
    void stop() {
        if (waiting != null) {
            waiting.cancel(false);
            awake();
        }
    }

    private void awake() {
        waiting = null;
        goOn(System.nanoTime());
    }

    private void goOn(long now) {
        switch (user.next(now, phase.control().stopped())) {
            case WAIT ->
                    waiting =
                            loop.context()
                                    .schedule(
                                            () -> loop.guard(this::awake), user.wakeNanos() - now);
            case SEND -> sender.exchange(loop.context().requests().get(user.operation()));
            case CLAIM, END -> end();
        }
    }

    private void answered(long readyNanos, Exchange exchange) {
        if (exchange == null) {
            user.unsent();
        } else {
            int operation = user.operation();
            loop.record(operation, user.answered(readyNanos, exchange), exchange);
        }
        goOn(System.nanoTime());
    }

    private void end() {
        sender.close();
        phase.ended(user);
        loop.ended();
    }
}
