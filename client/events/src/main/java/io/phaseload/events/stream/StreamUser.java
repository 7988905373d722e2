package io.phaseload.events.stream;

import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopConnection;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.LoopSender;
import io.phaseload.events.connection.RequestTurns;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.stream.EventListener;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;

/**
 * Sends over one user's connection, and reads those responses event by event that are streams: it asks again for one
 * that ended early, if its operation says so. Owned by one event loop.
 */
public final class StreamUser implements LoopSender, Expirable {

    private final LoopContext loop;
    private final Listener listener;
    private final EventListener times;
    private final LoopConnection connection;

    // Of the stream that is read: its connections so far, and when the first one was ready.
    private EventReader events;
    private PreparedRequest request;
    private Exchange before;
    private long readyNanos;
    private boolean waiting;
    private final RequestTurns turns = new RequestTurns();

    /**
     * Creates one whose connection isn't opened yet.
     *
     * @param loop the loop that owns it
     * @param listener receives each exchange
     * @param times receives the times of events
     */
    public StreamUser(LoopContext loop, Listener listener, EventListener times) {
        this.loop = loop;
        this.listener = listener;
        this.times = times;
        this.connection = new LoopConnection(loop, this::completed);
        loop.add(this);
    }

    @Override
    public void due(long nanos) {
        connection.due(nanos);
    }

    @Override
    public void exchange(LoopRequest next) {
        events = null;
        before = null;
        request = next.prepared();
        if (request.stream().isEmpty()) {
            connection.exchange(next);
            return;
        }
        events = new EventReader(request.stream().get(), times, loop.responseLimitNanos());
        connection.exchange(next.streamed(request.streamed(events)));
    }

    private void completed(long ready, SendResult result) {
        if (events == null) {
            listener.completed(ready, result);
        } else if (result instanceof Exchange exchange) {
            if (before == null) {
                readyNanos = ready;
            }
            before = before == null ? exchange : before.then(exchange);
            ended();
        } else {
            listener.completed(readyNanos, before == null ? result : before);
        }
    }

    private void ended() {
        if (!events.reconnects(before.outcome(), before.endNanos())) {
            listener.completed(readyNanos, before);
            return;
        }
        waiting = true;
        long resume = events.resumeNanos(before.endNanos());
        loop.schedule(turns.only(() -> resume(resume)), resume - System.nanoTime());
    }

    private void endWait() {
        waiting = false;
        turns.next();
    }

    private void resume(long now) {
        endWait();
        if (now - events.limitNanos() >= 0) {
            events.expire();
            listener.completed(readyNanos, before.ended(events.overNanos(), events.outcome()));
        } else {
            connection.exchange(LoopRequest.of(request.resumed(events)));
        }
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (waiting && abandon) {
            endWait();
            Exchange stopped = before.ended(now, Outcome.ClientFault.stopped());
            // Not from within the sweep, whose list the user may leave.
            loop.execute(() -> listener.completed(readyNanos, stopped));
        }
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        endWait();
        loop.remove(this);
        connection.close();
    }
}
