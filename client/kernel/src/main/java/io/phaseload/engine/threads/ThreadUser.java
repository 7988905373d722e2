package io.phaseload.engine.threads;

import io.phaseload.engine.OwnTime;
import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.RunControl;
import io.phaseload.http.UserSender;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.request.RequestSource;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.stream.EventListener;
import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Sample;
import io.phaseload.measure.SendResult;
import io.phaseload.measure.TraceContext;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.timing.Timing;
import io.phaseload.user.OpenUser;
import io.phaseload.user.VirtualUser;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** One virtual user in one phase, with its own sender. Run by one thread. */
final class ThreadUser implements KeptRequest.Sender, EventListener {

    private final PhaseRun phase;
    private final int index;
    private final UserSender sender;
    private final RequestSource requests;
    private final Optional<ThreadSocket> socket;
    private final PhaseRecorder recorder;
    private final LongSupplier elapsed;
    private final OwnTime own;
    private final ArrivalWait waiting = new ArrivalWait();
    private final BooleanSupplier changed;
    // How often the load was changed when it decided last.
    private int version;
    // Sent last; null for a step that is no request.
    private PreparedRequest sent;
    // The last step that is no request.
    private SocketCall call;
    private VirtualUser user;
    // A request without a planned pause is due when the last one has ended.
    private long lastEndNanos = System.nanoTime();

    ThreadUser(
            PhaseRun phase,
            int index,
            UserSender sender,
            RequestSource requests,
            Optional<ThreadSocket> socket,
            PhaseRecorder recorder,
            OwnTime own) {
        this.phase = phase;
        this.index = index;
        this.sender = sender;
        this.requests = requests;
        this.socket = socket;
        this.recorder = recorder;
        this.own = own;
        this.changed = () -> phase.control().stopped() || phase.throttle().version() != version;
        this.elapsed = () -> System.nanoTime() - phase.startNanos();
    }

    /** Runs the user until it has ended. The phase's clock has started. */
    void run() {
        RunControl control = phase.control();
        long now = System.nanoTime();
        user = phase.newUser(index, now, sample -> recorder.record(index, sample));
        sender.listen(this);
        while (true) {
            version = phase.throttle().version();
            switch (user.next(now, control.stopped())) {
                case CLAIM -> claim((OpenUser) user);
                case WAIT -> now = waiting.until(user.wakeNanos(), changed);
                case SEND -> {
                    send(now);
                    now = System.nanoTime();
                }
                case END -> {
                    phase.ended(user);
                    return;
                }
            }
        }
    }

    private void claim(OpenUser user) {
        user.take(phase.arrivals().orElseThrow().claim(elapsed));
    }

    private void send(long now) {
        int operation = user.operation();
        if (socket.isPresent() && socket.get().steps().have(operation)) {
            perform(socket.get(), user);
            return;
        }
        PreparedRequest request = requests.get(operation, user.session());
        if (request == null) {
            user.refused(System.nanoTime());
        } else {
            sent = request.once(user.trace());
            own.sending(now);
            sender.due(user.dueNanos(lastEndNanos, false));
            record(sender.exchange(sent));
        }
    }

    private void perform(ThreadSocket own, VirtualUser user) {
        int operation = user.operation();
        Session session = Objects.requireNonNull(user.session());
        session.atEnd(own::close);
        call = own.steps().call(operation, session, user.trace());
        if (call == null) {
            user.refused(System.nanoTime());
            return;
        }
        sent = null;
        ThreadSocket.Performed performed = own.perform(call);
        SocketCall.recordTimes(
                performed.result(),
                performed.roundTripNanos(),
                (timing, nanos) -> recorder.record(index, operation, timing, nanos));
        record(performed.result());
    }

    private void record(SendResult result) {
        if (result instanceof Exchange exchange) {
            lastEndNanos = exchange.endNanos();
            Sample sample = own.ended(user, exchange.readyNanos(), exchange);
            if (!phase.countUnsent(exchange)) {
                recorder.record(index, sample, this);
            }
        } else {
            user.unsent();
        }
    }

    @Override
    public KeptRequest kept(Sample sample) {
        Instant at = phase.timeOf(sample.intendedNanos());
        long number = phase.number(index);
        return sent == null
                ? socket.orElseThrow()
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

    @Override
    public void first(Timing timing, long readyNanos, boolean fresh, long nowNanos) {
        timed(timing, nowNanos - user.dueNanos(readyNanos, fresh));
    }

    @Override
    public void timed(Timing timing, long nanos) {
        recorder.record(index, user.operation(), timing, nanos);
    }
}
