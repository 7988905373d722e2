package io.phaseload.events;

import io.netty.channel.socket.SocketChannel;
import io.phaseload.http.Exchange.SetUp;
import io.phaseload.http.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The connection of a few users whose requests are pipelined. It is opened by the first request,
 * and another takes its place when it takes no more. Owned by one event loop.
 */
final class PipelinedConnection implements SharedConnection, Watched, Opening.Listener {

    private final LoopContext loop;
    private int users;
    private int left;

    // For the connection, in their order.
    private final Deque<PipelinedUser> waiting = new ArrayDeque<>();

    // Of these at most one is there: what takes requests, or the attempt at it.
    private Pipeline current;
    private Opening opening;

    // Those that take no more, but whose requests have time left.
    private final List<Pipeline> ending = new ArrayList<>();

    PipelinedConnection(LoopContext loop) {
        this.loop = loop;
        loop.add(this);
    }

    @Override
    public PipelinedUser newUser(Sender.Answered listener) {
        users++;
        return new PipelinedUser(this, loop, listener);
    }

    @Override
    public int users() {
        return users;
    }

    /** Sends a user's request as soon as it can be sent. */
    void send(PipelinedUser user) {
        if (current == null) {
            user.await();
            waiting.add(user);
            if (opening == null) {
                opening = Opening.begin(loop, this);
            }
        } else if (current.saidTooMuch()) {
            Pipeline broken = current;
            user.begin(null);
            broken.close();
            user.fail(new Outcome.MalformedResponse("bytes before the request was sent"));
        } else if (current.endedIdle()) {
            current.close();
            user.again();
        } else {
            current.send(user, null);
        }
    }

    @Override
    public void opened(SocketChannel channel, SetUp setUp) {
        opening = null;
        current = new Pipeline(loop, this, channel);
        current.sendAll(waiting, setUp);
    }

    @Override
    public void notOpened(long startNanos, long endNanos, Outcome outcome) {
        opening = null;
        eachWaiting(user -> user.notSent(endNanos, outcome));
    }

    @Override
    public void noTurn() {
        opening = null;
        eachWaiting(PipelinedUser::noTurn);
    }

    private void eachWaiting(Consumer<PipelinedUser> call) {
        List<PipelinedUser> called = List.copyOf(waiting);
        waiting.clear();
        called.forEach(call);
    }

    /** A pipeline takes no more, but what is in it goes on. */
    void retired(Pipeline old) {
        if (current == old) {
            current = null;
            ending.add(old);
        }
    }

    /** A pipeline is over. */
    void ended(Pipeline old) {
        ending.remove(old);
        if (current == old) {
            current = null;
        }
    }

    @Override
    public long expire(long now, boolean abandon) {
        long wait = opening == null ? Long.MAX_VALUE : opening.expire(now, abandon);
        for (Pipeline pipeline : List.copyOf(ending)) {
            wait = Math.min(wait, pipeline.expire(now, abandon));
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
        loop.remove(this);
        if (opening != null) {
            opening.close();
            opening = null;
        }
        List.copyOf(ending).forEach(Pipeline::close);
        if (current != null) {
            current.close();
        }
    }
}
