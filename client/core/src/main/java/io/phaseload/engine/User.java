package io.phaseload.engine;

import io.phaseload.http.Exchange;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.UserConnection;
import io.phaseload.measure.PhaseRecorder;
import io.phaseload.measure.Sample;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One virtual user in one phase: runs iterations one after another on its own connection, until it
 * has run all of its own, the phase's time is up, or the run is stopped. Run by one thread.
 */
final class User {

    private final int index;
    private final UserConnection connection;
    private final List<PreparedRequest> requests;
    private final PhaseRecorder recorder;
    private final AtomicBoolean stop;

    User(
            int index,
            UserConnection connection,
            List<PreparedRequest> requests,
            PhaseRecorder recorder,
            AtomicBoolean stop) {
        this.index = index;
        this.connection = connection;
        this.requests = requests;
        this.recorder = recorder;
        this.stop = stop;
    }

    void run(long iterations, long endNanos) {
        for (long i = 0; i < iterations && System.nanoTime() - endNanos < 0; i++) {
            for (int operation = 0; operation < requests.size(); operation++) {
                if (stop.get()) {
                    return;
                }
                Exchange exchange = connection.exchange(requests.get(operation));
                // A closed model: a request is meant to be sent when its user is free for it.
                recorder.record(index, new Sample(operation, exchange.sentNanos(), exchange));
            }
        }
    }
}
