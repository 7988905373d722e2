package io.phaseload.server.rooms;

import jakarta.websocket.CloseReason;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection as a receiver. Messages go out in the order in which they were given, one at a time, as Tomcat demands;
 * nobody waits for a slow receiver. Safe for use by several threads.
 */
final class RoomMember implements Receiver {

    private static final int MOST_WAITING = 10_000;

    private final Session session;
    private final RemoteEndpoint.Async remote;
    private final RoomCounters counters;
    // Guarded by itself, as are the two below.
    private final Queue<Payload> waiting = new ArrayDeque<>();
    private boolean sending;
    private boolean gone;

    RoomMember(Session session, RoomCounters counters) {
        this.session = session;
        this.remote = session.getAsyncRemote();
        this.counters = counters;
    }

    @Override
    public void send(Payload message) {
        synchronized (waiting) {
            if (gone) {
                counters.undelivered.increment();
                return;
            }
            if (waiting.size() == MOST_WAITING) {
                counters.dropped.increment();
                return;
            }
            waiting.add(message);
            if (sending) {
                return;
            }
            sending = true;
        }
        sendWaiting();
    }

    /** Waiting and later messages are not delivered. */
    void leave() {
        synchronized (waiting) {
            gone = true;
            counters.undelivered.add(waiting.size());
            waiting.clear();
        }
    }

    void close(CloseReason reason) {
        try {
            session.close(reason);
        } catch (IOException | IllegalStateException e) {
            // It has gone already.
        }
    }

    private void sendWaiting() {
        Payload next = next();
        while (next != null) {
            Ending ending = new Ending();
            try {
                next.sendTo(remote, ending);
            } catch (IllegalStateException closed) {
                ending.end(false);
            }
            // Tomcat often ends it before sendTo returns: a loop, where calls would nest.
            if (!ending.isSecond()) {
                return;
            }
            next = next();
        }
    }

    private Payload next() {
        synchronized (waiting) {
            Payload next = waiting.poll();
            sending = next != null;
            return next;
        }
    }

    /** Counts how a message ended; the second to come here, sender or result, sends the next. */
    private final class Ending implements SendHandler {

        private final AtomicBoolean first = new AtomicBoolean();

        boolean isSecond() {
            return first.getAndSet(true);
        }

        @Override
        public void onResult(SendResult result) {
            end(result.isOK());
        }

        void end(boolean delivered) {
            (delivered ? counters.delivered : counters.undelivered).increment();
            if (isSecond()) {
                sendWaiting();
            }
        }
    }
}
