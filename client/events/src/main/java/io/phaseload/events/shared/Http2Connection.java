package io.phaseload.events.shared;

import io.netty.channel.socket.SocketChannel;
import io.phaseload.events.connection.ConnectAttempt;
import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.Sender;
import io.phaseload.events.tls.Tls;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Http2Windows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The connection of a few users. It is opened by the first request, and another takes its place
 * when the server keeps it no longer. Owned by one event loop.
 */
public final class Http2Connection implements SharedConnection, Expirable, ConnectAttempt.Listener {

    private final LoopContext loop;
    private final Http2Windows windows;
    private final List<Http2User> users = new ArrayList<>();
    private int left;
    private boolean closed;

    // For the connection, or for a stream of it; in their order.
    private final Deque<Http2User> waiting = new ArrayDeque<>();

    // Of these at most one is there: the connection that takes requests, or the attempt at it.
    private Http2Session session;
    private ConnectAttempt attempt;
    // Whether the server ended the last one, so that the next request makes another.
    private boolean lost;

    // Those that take no more, but still have streams.
    private final List<Http2Session> ending = new ArrayList<>();

    public Http2Connection(LoopContext loop, Http2Windows windows) {
        this.loop = loop;
        this.windows = windows;
        loop.add(this);
    }

    @Override
    public Http2User newUser(Sender.Listener listener) {
        Http2User user = new Http2User(this, loop, listener);
        users.add(user);
        return user;
    }

    @Override
    public int users() {
        return users.size();
    }

    /** Sends a user's request as soon as it can be sent. */
    void send(Http2User user) {
        if (session != null && session.isIdle()) {
            // What has come in the meantime is read first: the loop's next turn begins with that.
            loop.schedule(() -> sendNow(user, true), 0);
        } else {
            sendNow(user, false);
        }
    }

    private void sendNow(Http2User user, boolean onIdle) {
        if (closed) {
            return;
        }
        if (session != null && session.hasRoom() && waiting.isEmpty()) {
            session.begin(user, onIdle);
            return;
        }
        waiting.add(user);
        if (session != null && session.ready()) {
            user.awaitStream();
        } else {
            user.awaitConnection();
            openIfWanted();
        }
    }

    private void openIfWanted() {
        if (session == null && attempt == null && !waiting.isEmpty()) {
            attempt = ConnectAttempt.begin(loop, this);
        }
    }

    @Override
    public void connected(SocketChannel channel, SetUp setUp) {
        attempt = null;
        if (loop.tls() != null && !Tls.isHttp2(channel)) {
            loop.drop(channel, true);
            failWaiting(new Outcome.NoHttp2("the server chose another protocol by ALPN"));
        } else {
            session = new Http2Session(loop, this, channel, setUp, lost, windows);
            lost = false;
        }
    }

    @Override
    public void connectFailed(long startNanos, long endNanos, Outcome outcome) {
        attempt = null;
        failWaiting(outcome);
    }

    @Override
    public void connectCancelled() {
        attempt = null;
        List<Http2User> unsent = List.copyOf(waiting);
        waiting.clear();
        unsent.forEach(Http2User::notSent);
    }

    /** A session is over before anything was sent over it. */
    void failed(Outcome outcome) {
        session = null;
        failWaiting(outcome);
    }

    private void failWaiting(Outcome outcome) {
        List<Http2User> failed = List.copyOf(waiting);
        waiting.clear();
        failed.forEach(user -> user.fail(outcome));
    }

    /** The session takes requests for the first time. */
    void becameReady() {
        sendWaiting();
        waiting.forEach(Http2User::awaitStream);
    }

    /** The session may have room again. */
    void sendWaiting() {
        while (session != null && session.hasRoom() && !waiting.isEmpty()) {
            session.begin(waiting.poll(), false);
        }
    }

    /** A user waits no longer. */
    void withdraw(Http2User user) {
        waiting.remove(user);
    }

    /**
     * A session takes no more requests, but those that it has go on.
     *
     * @param byServer whether that is the server's doing
     */
    void retired(Http2Session old, boolean byServer) {
        if (session == old) {
            session = null;
            lost |= byServer;
            ending.add(old);
            moveOn();
        }
    }

    /** A session is over; as {@link #retired}. */
    void ended(Http2Session old, boolean byServer) {
        ending.remove(old);
        if (session == old) {
            session = null;
            lost |= byServer;
            moveOn();
        }
    }

    /** Whoever waited for a stream of the last session waits for the next one. */
    private void moveOn() {
        waiting.forEach(Http2User::awaitConnection);
        openIfWanted();
    }

    @Override
    public long expire(long now, boolean abandon) {
        long wait = Long.MAX_VALUE;
        if (attempt != null) {
            wait = attempt.expire(now, abandon);
        } else if (session != null) {
            wait = session.expire(now, abandon);
        }
        for (int i = users.size() - 1; i >= 0; i--) {
            wait = Math.min(wait, users.get(i).expire(now, abandon));
        }
        return wait;
    }

    /** A user leaves; the last one closes the connection. */
    void leave() {
        if (++left == users.size()) {
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
        List.copyOf(ending).forEach(Http2Session::close);
    }
}
