package io.phaseload.engine;

import io.phaseload.engine.Arrivals.Arrival;
import io.phaseload.engine.Reachability.Backoff;
import io.phaseload.health.HealthMeter;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.UserConnection;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.PhaseRecorder;
import io.phaseload.measure.Sample;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** One virtual user in one phase, on its own connection. Run by one thread. */
final class User {

    private final int index;
    private final UserConnection connection;
    private final List<PreparedRequest> requests;
    private final PhaseRecorder recorder;
    private final AtomicBoolean stop;
    private final HealthMeter health;
    private final Backoff backoff;
    private final UserTime time;

    User(
            int index,
            UserConnection connection,
            List<PreparedRequest> requests,
            PhaseRecorder recorder,
            AtomicBoolean stop,
            HealthMeter health,
            Backoff backoff,
            UserTime time) {
        this.index = index;
        this.connection = connection;
        this.requests = requests;
        this.recorder = recorder;
        this.stop = stop;
        this.health = health;
        this.backoff = backoff;
        this.time = time;
    }

    /**
     * Runs iterations one after another, until all are run, the time is up, or the run is stopped.
     *
     * @param load says when the next one begins
     * @param random of this user alone
     * @param beginNanos when the first one begins
     * @param endNanos none begins from then on
     */
    void iterate(
            Load.Closed load,
            SplittableRandom random,
            long iterations,
            long beginNanos,
            long endNanos) {
        long intended = beginNanos;
        time.begin(beginNanos);
        boolean waited = System.nanoTime() - beginNanos < 0;
        for (long i = 0; i < iterations; i++) {
            // What would begin after the end isn't waited for any longer than that.
            long begin = intended - endNanos < 0 ? intended : endNanos;
            if (waited) {
                time.pause(begin);
                if (!Waiting.until(begin, stop)) {
                    return;
                }
            }
            long begun = System.nanoTime();
            if (begun - endNanos >= 0) {
                return;
            }
            long ended = begun;
            for (int operation = 0; operation < requests.size(); operation++) {
                if (stop.get()) {
                    return;
                }
                Exchange exchange = connection.exchange(requests.get(operation));
                if (exchange == null) {
                    return;
                }
                // Without a pause a request is meant to be sent when its user is free for it and
                // the connection is there.
                boolean planned = waited && operation == 0 && exchange.setUpNanos() == 0;
                long due = planned ? intended : exchange.sentNanos();
                record(operation, due, exchange);
                time.add(due, exchange);
                ended = exchange.endNanos();
                if (!keepAway(exchange, endNanos)) {
                    return;
                }
            }
            long thinking = draw(load.think(), random);
            long pacing = draw(load.pacing(), random);
            intended = Math.max(ended + thinking, (waited ? intended : begun) + pacing);
            waited = intended - ended > 0;
        }
    }

    /** Sends intended requests as long as there are any; operations take turns. */
    void serve(Arrivals arrivals) {
        Arrival arrival;
        while (!stop.get() && (arrival = arrivals.claim()) != null) {
            if (!Waiting.until(arrival.intendedNanos(), stop)) {
                return;
            }
            int operation = (int) (arrival.index() % requests.size());
            Exchange exchange = connection.exchange(requests.get(operation));
            if (exchange == null) {
                return;
            }
            record(operation, arrival.intendedNanos(), exchange);
            if (!keepAway(exchange, arrivals.endNanos())) {
                return;
            }
        }
    }

    private void record(int operation, long due, Exchange exchange) {
        boolean stalled = health.touched(due, exchange.endNanos());
        recorder.record(index, new Sample(operation, due, exchange, stalled));
    }

    /** Returns false if stopped meanwhile. */
    private boolean keepAway(Exchange exchange, long endNanos) {
        long pause = backoff.after(exchange);
        if (pause == 0) {
            return true;
        }
        long until = exchange.endNanos() + pause;
        long begin = until - endNanos < 0 ? until : endNanos;
        time.pause(begin);
        return Waiting.until(begin, stop);
    }

    private static long draw(Pause pause, SplittableRandom random) {
        long min = pause.min().toNanos();
        long max = pause.max().toNanos();
        return min == max ? min : random.nextLong(min, max + 1);
    }
}
