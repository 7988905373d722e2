package io.phaseload.events.shared;

import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.ConnectAttempt;
import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopSender;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The connection of a few users. The first request opens it, and when its session accepts no more requests, another
 * session takes its place. Owned by one event loop.
 */
public final class SharedConnection implements Expirable, ConnectAttempt.Listener {

    /** Creates the sessions of one connection. */
    @FunctionalInterface
    interface Sessions {

        /** A session on a channel from which nothing was read; {@code setUp} has the times of making it. */
        SharedSession on(SharedConnection owner, DuplexChannel channel, SetUp setUp);
    }

    private final LoopContext loop;
    private final Sessions sessions;
    private int users;
    private int left;
    private boolean closed;
    // Whether a stop's drain is over: nothing is sent any more.
    private boolean draining;

    // Waiting for the connection, or for room on it; in order.
    private final Deque<SharedUser> waiting = new ArrayDeque<>();

    // At most one of these is set: the session that accepts requests, or the attempt to open one.
    private SharedSession session;
    private ConnectAttempt attempt;
    // Whether the server ended the last session, so that the next request opens another one.
    private boolean lost;
    // The times of making the session, and whether the server had ended the last one: for the
    // first request over it.
    private SetUp setUp;
    private boolean reopened;

    // Sessions that accept no more requests, but still have some in flight.
    private final List<SharedSession> ending = new ArrayList<>();

    /** A connection that isn't open yet. */
    SharedConnection(LoopContext loop, Sessions sessions) {
        this.loop = loop;
        this.sessions = sessions;
        loop.add(this);
    }

    /** Adds a user, which sends as if the connection were its own. */
    public LoopSender newUser(LoopSender.Listener listener) {
        users++;
        return new SharedUser(this, loop, listener);
    }

    /** The number of its users. */
    public int users() {
        return users;
    }

    /** Sends a user's request as soon as possible. */
    void send(SharedUser user) {
        if (session != null && session.isIdle(System.nanoTime())) {
            // What has arrived meanwhile is read first: the loop's next turn starts with
            // that.
            loop.schedule(() -> send(user, true), 0);
        } else {
            send(user, false);
        }
    }

    private void send(SharedUser user, boolean onIdle) {
        if (closed) {
            return;
        }
        if (session != null && session.hasRoom() && waiting.isEmpty()) {
            SharedSession current = session;
            send(user, current, onIdle);
            current.flush();
            return;
        }
        waiting.add(user);
        if (session != null && session.countsWaiting()) {
            user.awaitRoom();
        } else {
            user.awaitConnection();
            openIfWanted();
        }
    }

    private void send(SharedUser user, SharedSession current, boolean onIdle) {
        user.begin(setUp, reopened);
        setUp = null;
        reopened = false;
        boolean again = onIdle && loop.target().resendIdle() && current.isIdle(user.dueNanos());
        current.send(user, onIdle, again);
    }

    private void openIfWanted() {
        if (!draining && session == null && attempt == null && !waiting.isEmpty()) {
            attempt = ConnectAttempt.begin(loop, this);
        }
    }

    @Override
    public void connected(DuplexChannel channel, SetUp made) {
        attempt = null;
        beginAnother();
        session = sessions.on(this, channel, made);
        session.start();
    }

    @Override
    public void connectFailed(long startNanos, long endNanos, Outcome outcome) {
        attempt = null;
        beginAnother();
        failWaiting(endNanos, outcome);
    }

    private void beginAnother() {
        reopened = lost;
        lost = false;
    }

    @Override
    public void connectCancelled() {
        attempt = null;
        takeWaiting().forEach(SharedUser::notSent);
    }

    /**
     * A session ended before anything was sent over it.
     *
     * @param endNanos the time when that was known; for a timeout, the limit itself
     */
    void failed(long endNanos, Outcome outcome) {
        session = null;
        failWaiting(endNanos, outcome);
    }

    private void failWaiting(long endNanos, Outcome outcome) {
        for (SharedUser user : takeWaiting()) {
            user.notConnected(endNanos, outcome, reopened);
            reopened = false;
        }
    }

    private List<SharedUser> takeWaiting() {
        List<SharedUser> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    /** The session accepts requests from now on. */
    void ready(SetUp made) {
        setUp = made;
        sendWaiting();
        if (session != null && session.countsWaiting()) {
            waiting.forEach(SharedUser::awaitRoom);
        }
    }

    /** The session may have room again. */
    void sendWaiting() {
        if (draining || session == null || waiting.isEmpty() || !session.hasRoom()) {
            return;
        }
        SharedSession current = session;
        do {
            send(waiting.poll(), current, false);
        } while (session == current && current.hasRoom() && !waiting.isEmpty());
        current.flush();
    }

    /** A user waits no longer. */
    void withdraw(SharedUser user) {
        waiting.remove(user);
    }

    /** A session accepts no more requests, but completes those that it has. */
    void retired(SharedSession old, boolean byServer) {
        if (session == old) {
            ending.add(old);
            replace(byServer);
        }
    }

    /** A session is over; see {@link #retired}. */
    void ended(SharedSession old, boolean byServer) {
        ending.remove(old);
        if (session == old) {
            replace(byServer);
        }
    }

    /** Users that wait for room on the last session wait for the next one. */
    private void replace(boolean byServer) {
        session = null;
        lost |= byServer;
        waiting.forEach(SharedUser::awaitConnection);
        openIfWanted();
    }

    @Override
    public long expire(long now, boolean abandon) {
        draining |= abandon;
        long wait = attempt == null ? Long.MAX_VALUE : attempt.expire(now, abandon);
        for (SharedSession old : List.copyOf(ending)) {
            wait = Math.min(wait, old.expire(now, abandon));
        }
        if (session != null) {
            wait = Math.min(wait, session.expire(now, abandon));
        }
        if (attempt == null) {
            for (SharedUser user : List.copyOf(waiting)) {
                wait = Math.min(wait, user.expireWaiting(now, abandon));
            }
        }
        return wait;
    }

    /** A user leaves; the last one closes the connection. */
    void leave() {
        if (++left == users) {
            close();
        }
    }

    @Override
    public void close() {
        closed = true;
        loop.remove(this);
        if (attempt != null) {
            attempt.close();
            attempt = null;
        }
        if (session != null) {
            ending.add(session);
            session = null;
        }
        List.copyOf(ending).forEach(SharedSession::close);
    }
}
