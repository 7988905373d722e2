package io.phaseload.events.shared;

import io.netty.channel.socket.SocketChannel;
import io.phaseload.events.connection.ConnectAttempt;
import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The connection of a few users whose requests are pipelined. It is opened by the first request,
 * and another takes its place when it takes no more. Owned by one event loop.
 *
 * <p>A server that never answers a request which came before its answer to another doesn't support
 * pipelining. Once that is known, which fails those who wait, requests go one after another.
 */
public final class PipelinedConnection
        implements SharedConnection, Expirable, ConnectAttempt.Listener {

    /** So many connections in a row that end early are no coincidence. */
    private static final int ENOUGH_ENDS = 3;

    private final LoopContext loop;
    private int users;
    private int left;

    // For the connection, or for its turn on it; in their order.
    private final Deque<PipelinedUser> waiting = new ArrayDeque<>();

    // Of these at most one is there: what takes requests, or the attempt at it.
    private Pipeline current;
    private ConnectAttempt attempt;
    // Whether the server ended the last one, so that the next request makes another.
    private boolean lost;

    // Those that take no more, but whose requests have time left.
    private final List<Pipeline> ending = new ArrayList<>();

    private boolean pipelined;
    private boolean oneByOne;
    private int ends;
    private boolean closed;

    public PipelinedConnection(LoopContext loop) {
        this.loop = loop;
        loop.add(this);
    }

    @Override
    public PipelinedUser newUser(Sender.Listener listener) {
        users++;
        return new PipelinedUser(this, loop, listener);
    }

    @Override
    public int users() {
        return users;
    }

    /** Sends a user's request as soon as it can be sent. */
    void send(PipelinedUser user) {
        if (current != null && current.isIdle()) {
            // What has come in the meantime is read first: the loop's next turn begins with that.
            loop.schedule(() -> send(user, true), 0);
        } else {
            send(user, false);
        }
    }

    private void send(PipelinedUser user, boolean onIdle) {
        if (closed) {
            return;
        }
        if (current == null) {
            user.await();
            waiting.add(user);
            open();
        } else if (oneByOne && !(current.isEmpty() && waiting.isEmpty())) {
            user.await();
            waiting.add(user);
        } else {
            current.send(user, null, false, onIdle);
        }
    }

    private void open() {
        if (attempt == null) {
            attempt = ConnectAttempt.begin(loop, this);
        }
    }

    @Override
    public void connected(SocketChannel channel, SetUp setUp) {
        attempt = null;
        current = new Pipeline(loop, this, channel);
        Pipeline fresh = current;
        SetUp made = setUp;
        boolean anew = lost;
        lost = false;
        fresh.gather();
        do {
            fresh.send(waiting.poll(), made, anew, false);
            made = null;
            anew = false;
        } while (!oneByOne && !waiting.isEmpty());
        fresh.flushAll();
    }

    @Override
    public void connectFailed(long startNanos, long endNanos, Outcome outcome) {
        attempt = null;
        boolean anew = lost;
        lost = false;
        PipelinedUser first = waiting.peek();
        eachWaiting(user -> user.notSent(endNanos, outcome, anew && user == first));
    }

    @Override
    public void connectCancelled() {
        attempt = null;
        eachWaiting(PipelinedUser::noTurn);
    }

    private void eachWaiting(Consumer<PipelinedUser> call) {
        List<PipelinedUser> called = List.copyOf(waiting);
        waiting.clear();
        called.forEach(call);
    }

    /** A request was answered that had been sent before the answer to another. */
    void pipelined() {
        pipelined = true;
    }

    /**
     * The server has ended a connection with its first response, or before it.
     *
     * @param several whether more requests than one had come
     * @return whether it is certain by now that it doesn't support pipelining
     */
    boolean endedEarly(boolean several) {
        if (pipelined) {
            return false;
        }
        ends = several ? ends + 1 : 0;
        // Whoever doesn't answer a single one either fails for another reason.
        oneByOne = ends >= ENOUGH_ENDS;
        return oneByOne;
    }

    /** Requests behind one that was answered came to their time limit; returns likewise. */
    boolean unansweredBehind() {
        oneByOne |= !pipelined;
        return oneByOne;
    }

    /** Nothing is in a pipeline any more. */
    void emptied() {
        if (current != null && current.isEmpty() && !waiting.isEmpty()) {
            current.send(waiting.poll(), null, false, false);
        }
    }

    /**
     * A pipeline takes no more, but what is in it goes on.
     *
     * @param byServer whether that is the server's doing
     */
    void retired(Pipeline old, boolean byServer) {
        if (current == old) {
            current = null;
            lost |= byServer;
            ending.add(old);
            moveOn();
        }
    }

    /** A pipeline is over; as {@link #retired}. */
    void ended(Pipeline old, boolean byServer) {
        ending.remove(old);
        if (current == old) {
            current = null;
            lost |= byServer;
            moveOn();
        }
    }

    /** Whoever waited for its turn on the last connection has it on the next one. */
    private void moveOn() {
        if (!waiting.isEmpty() && !closed) {
            open();
        }
    }

    @Override
    public long expire(long now, boolean abandon) {
        long wait = attempt == null ? Long.MAX_VALUE : attempt.expire(now, abandon);
        for (Pipeline pipeline : List.copyOf(ending)) {
            wait = Math.min(wait, pipeline.expire(now, abandon));
        }
        if (abandon && attempt == null) {
            eachWaiting(PipelinedUser::noTurn);
        }
        return current == null ? wait : Math.min(wait, current.expire(now, abandon));
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
        List.copyOf(ending).forEach(Pipeline::close);
        if (current != null) {
            current.close();
        }
    }
}
