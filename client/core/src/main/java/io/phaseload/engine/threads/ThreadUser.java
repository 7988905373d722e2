package io.phaseload.engine.threads;

import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.RunControl;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.RequestSource;
import io.phaseload.http.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.PhaseRecorder;
import io.phaseload.user.OpenUser;
import io.phaseload.user.VirtualUser;
import java.util.function.LongSupplier;

/** One virtual user in one phase, with its own sender. Run by one thread. */
final class ThreadUser {

    private final PhaseRun phase;
    private final int index;
    private final Sender sender;
    private final RequestSource<PreparedRequest> requests;
    private final PhaseRecorder recorder;
    private final LongSupplier elapsed;

    ThreadUser(
            PhaseRun phase,
            int index,
            Sender sender,
            RequestSource<PreparedRequest> requests,
            PhaseRecorder recorder) {
        this.phase = phase;
        this.index = index;
        this.sender = sender;
        this.requests = requests;
        this.recorder = recorder;
        this.elapsed = () -> System.nanoTime() - phase.startNanos();
    }

    /** Runs the user until it has ended. The phase's clock has started. */
    void run() {
        RunControl control = phase.control();
        long now = System.nanoTime();
        VirtualUser user = phase.newUser(index, now, sample -> recorder.record(index, sample));
        while (true) {
            switch (user.next(now, control.stopped())) {
                case CLAIM -> claim((OpenUser) user);
                case WAIT -> now = Waiting.until(user.wakeNanos(), control);
                case SEND -> {
                    send(user);
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

    private void send(VirtualUser user) {
        int operation = user.operation();
        PreparedRequest request = requests.get(operation, user.session());
        if (request == null) {
            user.refused(System.nanoTime());
        } else if (sender.exchange(request) instanceof Exchange exchange) {
            long due = user.answered(exchange.readyNanos(), exchange);
            recorder.record(index, phase.sample(operation, due, exchange));
        } else {
            user.unsent();
        }
    }
}
