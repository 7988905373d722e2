package io.phaseload.events;

import io.phaseload.engine.OwnTime;
import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.LoopSender;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.http.stream.EventListener;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Sample;
import io.phaseload.measure.SendResult;
import io.phaseload.measure.TraceContext;
import io.phaseload.timing.Timing;
import io.phaseload.user.OpenUser;
import io.phaseload.user.VirtualUser;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A phase's user: it does what its {@link VirtualUser} says, event by event. */
final class EventUser implements KeptRequest.Sender, EventListener {

    private final UserLoop loop;
    private final PhaseRun phase;
    private final int index;
    private final LoopSender sender;
    private VirtualUser user;
    private OwnTime own;
    // A request without a planned pause is due when the last one has ended.
    private long lastEndNanos = System.nanoTime();
    // Null until a step needs it.
    private UserSocket socket;
    // Sent last; null for a step that is no request.
    private PreparedRequest sent;
    // The last step that is no request.
    private SocketCall call;

    EventUser(UserLoop loop, int index) {
        this.loop = loop;
        this.phase = loop.phase();
        this.index = index;
        this.sender = loop.newSender(this::completed, this);
    }

    void start() {
        own = loop.newOwnTime();
        user = phase.newUser(index, System.nanoTime(), loop.records()::add);
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
        Optional<LoopSocketSteps> sockets = loop.sockets();
        if (sockets.isPresent() && sockets.get().steps().have(user.operation())) {
            perform(sockets.get(), now);
            return;
        }
        LoopRequest request = loop.context().requests().get(user.operation(), user.session(), user.trace());
        if (request == null) {
            refused(now);
        } else {
            sent = request.prepared();
            own.sending(now);
            sender.due(user.dueNanos(lastEndNanos, false));
            sender.exchange(request);
        }
    }

    private void refused(long now) {
        user.refused(now);
        loop.waiting().add(this);
    }

    private void perform(LoopSocketSteps sockets, long now) {
        call = sockets.steps().call(user.operation(), user.session(), user.trace());
        if (call == null) {
            refused(now);
            return;
        }
        if (socket == null) {
            socket = sockets.maker().newSocket(loop.context());
            user.session().atEnd(socket::close);
        }
        sent = null;
        socket.perform(call, (result, roundTrip) -> loop.guard(() -> performed(result, roundTrip)));
    }

    private void performed(SendResult result, long roundTripNanos) {
        SocketCall.recordTimes(
                result, roundTripNanos, (timing, nanos) -> loop.records().add(user.operation(), timing, nanos));
        completed(result instanceof Exchange exchange ? exchange.readyNanos() : 0, result);
    }

    private void completed(long readyNanos, SendResult result) {
        if (result instanceof Exchange exchange) {
            lastEndNanos = exchange.endNanos();
            Sample sample = own.ended(user, readyNanos, exchange);
            if (!phase.countUnsent(exchange)) {
                loop.records().add(index, sample, this);
            }
        } else {
            user.unsent();
        }
        goOn();
        loop.waiting().wakeDue();
    }

    @Override
    public KeptRequest kept(Sample sample) {
        Instant at = phase.timeOf(sample.intendedNanos());
        long number = phase.number(index);
        return sent == null
                ? loop.sockets()
                        .orElseThrow()
                        .steps()
                        .kept(sample, at, number, user.session())
                        .with(call.trace(), Map.of())
                : sent.kept(sample, at, number);
    }

    @Override
    public String path() {
        return sent == null ? "" : sent.ownPath();
    }

    @Override
    public TraceContext trace() {
        return sent == null ? call.trace() : sent.trace();
    }

    private void end() {
        sender.close();
        if (socket != null) {
            socket.close();
        }
        phase.ended(user);
        loop.ended();
    }

    @Override
    public void first(Timing timing, long readyNanos, boolean fresh, long nowNanos) {
        timed(timing, nowNanos - user.dueNanos(readyNanos, fresh));
    }

    @Override
    public void timed(Timing timing, long nanos) {
        loop.records().add(user.operation(), timing, nanos);
    }
}
