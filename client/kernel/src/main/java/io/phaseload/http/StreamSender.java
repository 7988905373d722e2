package io.phaseload.http;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.stream.EventListener;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import io.phaseload.plan.Target;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests over one user's connection, and reads those responses event by event that are streams: it asks again
 * for one that ended early, if its operation says so. Owned by one thread at a time.
 */
public final class StreamSender implements UserSender {

    private final UserConnection connection;
    private final Deadlines deadlines;
    private final long silenceNanos;
    private final Deadline pause;
    private Thread waiting;
    private EventListener listener;

    /**
     * Takes a connection.
     *
     * @param connection sends
     * @param deadlines ends waits before a reconnect, if the run is stopped
     * @param target says how long no event may come
     */
    public StreamSender(UserConnection connection, Deadlines deadlines, Target target) {
        this.connection = connection;
        this.deadlines = deadlines;
        this.silenceNanos = target.responseTimeout().toNanos();
        this.pause = new Deadline(() -> LockSupport.unpark(waiting));
        deadlines.add(pause);
    }

    @Override
    public void listen(EventListener to) {
        listener = to;
    }

    @Override
    public void due(long nanos) {
        connection.due(nanos);
    }

    @Override
    public SendResult exchange(PreparedRequest request) {
        if (request.stream().isEmpty()) {
            return connection.exchange(request);
        }
        EventReader events = new EventReader(request.stream().get(), listener, silenceNanos);
        SendResult result = connection.exchange(request.streamed(events));
        while (result instanceof Exchange before && events.reconnects(before.outcome(), before.endNanos())) {
            long resume = events.resumeNanos(before.endNanos());
            if (!await(resume)) {
                return before.ended(System.nanoTime(), Outcome.ClientFault.stopped());
            }
            if (resume - events.limitNanos() >= 0) {
                events.expire();
                return before.ended(events.overNanos(), events.outcome());
            }
            if (!(connection.exchange(request.resumed(events)) instanceof Exchange next)) {
                return before;
            }
            result = before.then(next);
        }
        return result;
    }

    /** Returns whether the run goes on. */
    private boolean await(long nanos) {
        waiting = Thread.currentThread();
        long now = System.nanoTime();
        pause.arm(now, Math.max(1, nanos - now));
        while (pause.isArmed() && now - nanos < 0) {
            LockSupport.parkNanos(this, nanos - now);
            now = System.nanoTime();
        }
        return pause.disarm(now) != Deadline.WaitEnd.ABANDONED;
    }

    @Override
    public void close() {
        deadlines.remove(pause);
        connection.close();
    }
}
