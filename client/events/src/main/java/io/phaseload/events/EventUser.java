package io.phaseload.events;

import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.SendResult;
import io.phaseload.user.OpenUser;
import io.phaseload.user.VirtualUser;

/** A phase's user: it does what its {@link VirtualUser} says, event by event. */
final class EventUser {

    private final UserLoop loop;
    private final PhaseRun phase;
    private final int index;
    private final Sender sender;
    private VirtualUser user;

    EventUser(UserLoop loop, int index) {
        this.loop = loop;
        this.phase = loop.phase();
        this.index = index;
        this.sender = loop.newSender(this::completed);
    }

    void start() {
        user = phase.newUser(index, System.nanoTime(), loop::record);
        goOn();
    }

    /** When to go on, while it waits. */
    long wakeNanos() {
        return user.wakeNanos();
    }

    /** Does the next step, unless a request is in flight. */
    void goOn() {
        long now = System.nanoTime();
        switch (user.next(now, phase.control().stopped())) {
            case CLAIM -> {
                ((OpenUser) user).take(loop.claim(now));
                // Even if it is due: first all free users claim, then requests that are due are
                // sent.
                loop.waiting().add(this);
            }
            case WAIT -> loop.waiting().add(this);
            case SEND -> send(now);
            case END -> end();
        }
    }

    private void send(long now) {
        LoopRequest request = loop.context().requests().get(user.operation(), user.session());
        if (request == null) {
            user.refused(now);
            loop.waiting().add(this);
        } else {
            sender.exchange(request);
        }
    }

    private void completed(long readyNanos, SendResult result) {
        if (result instanceof Exchange exchange) {
            int operation = user.operation();
            long due = user.answered(readyNanos, exchange);
            loop.record(phase.sample(operation, due, exchange));
        } else {
            user.unsent();
        }
        goOn();
        loop.waiting().wakeDue();
    }

    private void end() {
        sender.close();
        phase.ended(user);
        loop.ended();
    }
}
