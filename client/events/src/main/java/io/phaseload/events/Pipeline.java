package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.phaseload.http.Exchange.SetUp;
import io.phaseload.http.Failures;
import io.phaseload.http.InstanceState;
import io.phaseload.http.MalformedException;
import io.phaseload.http.Outcome;
import io.phaseload.http.Outcome.Reset.Stage;
import io.phaseload.http.ResponseParser;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Requests that are sent over one channel without waiting for the responses to those before, which
 * come in the same order. What is asked while a response is read goes out in one piece with what
 * else is.
 */
final class Pipeline extends ChannelInboundHandlerAdapter {

    /** A request whose response is due; without a user once its time was up. */
    private static final class Place {

        private final LoopRequest request;
        private PipelinedUser user;

        Place(PipelinedUser user) {
            this.request = user.request();
            this.user = user;
        }
    }

    private final LoopContext loop;
    private final PipelinedConnection owner;
    private final SocketChannel channel;
    private final ResponseParser parser;
    private final Deque<Place> places = new ArrayDeque<>();
    private boolean reading;
    private boolean unflushed;
    private boolean saidTooMuch;
    private boolean endedIdle;
    private boolean retired;
    private boolean over;

    Pipeline(LoopContext loop, PipelinedConnection owner, SocketChannel channel) {
        this.loop = loop;
        this.owner = owner;
        this.channel = channel;
        this.parser = new ResponseParser();
        channel.pipeline().addLast(this);
    }

    /** Whether there came what nobody had asked for. */
    boolean saidTooMuch() {
        return saidTooMuch;
    }

    /** Whether the server has ended the stream while nothing was asked of it. */
    boolean endedIdle() {
        return endedIdle;
    }

    /** Sends the requests of all, the first of which the connection was made for. */
    void sendAll(Deque<PipelinedUser> users, SetUp setUp) {
        reading = true;
        SetUp made = setUp;
        while (!users.isEmpty()) {
            send(users.poll(), made);
            made = null;
        }
        flushAll();
    }

    void send(PipelinedUser user, SetUp setUp) {
        user.begin(setUp);
        Place place = new Place(user);
        places.add(place);
        if (places.peek() == place) {
            expect(place);
        }
        user.write(channel);
        if (reading) {
            unflushed = true;
        } else {
            channel.flush();
        }
    }

    private void expect(Place place) {
        parser.begin(place.request.head(), place.request.bodyKept());
    }

    private void flushAll() {
        reading = false;
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        try {
            reading = true;
            read(buffer, System.nanoTime());
        } catch (MalformedException e) {
            // What comes behind it can't be told from it any more.
            broken(
                    stage ->
                            stage == Stage.BEFORE_RESPONSE
                                    ? new Outcome.Reset(stage)
                                    : new Outcome.MalformedResponse(e.getMessage()));
        } finally {
            flushAll();
            buffer.release();
        }
    }

    private void read(ByteBuf buffer, long now) throws MalformedException {
        while (!over && buffer.isReadable()) {
            Place first = places.peek();
            if (first == null) {
                saidTooMuch = true;
                return;
            }
            int before = buffer.readableBytes();
            boolean whole = false;
            try {
                whole = loop.parse(buffer, parser);
            } finally {
                if (first.user != null) {
                    first.user.flight().received(before - buffer.readableBytes(), now);
                }
            }
            if (!whole) {
                return;
            }
            // Before it is told, for whoever hears of it asks again at once.
            saidTooMuch = places.size() == 1 && buffer.isReadable();
            whole(now);
            if (saidTooMuch) {
                return;
            }
        }
    }

    private void whole(long now) {
        Place first = places.poll();
        int status = parser.status();
        Outcome outcome = first.request.judge(status, parser.body());
        InstanceState instance = parser.instance();
        List<PipelinedUser> unread = List.of();
        if (!first.request.keepsConnection() || !parser.keepsConnection()) {
            // A server that says so reads no more requests (RFC 9112 §9.6).
            unread = users();
            end(false);
        } else if (!places.isEmpty()) {
            expect(places.peek());
        }
        if (first.user != null) {
            first.user.whole(now, outcome, status, instance);
        }
        unread.forEach(PipelinedUser::again);
        endIfDone();
    }

    /** Those who wait for responses, in their order. */
    private List<PipelinedUser> users() {
        List<PipelinedUser> users = new ArrayList<>();
        for (Place place : places) {
            if (place.user != null) {
                users.add(place.user);
            }
        }
        return users;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE
                || event == SslCloseCompletionEvent.SUCCESS) {
            ended();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended();
    }

    private void ended() {
        if (over) {
            return;
        }
        if (places.isEmpty()) {
            endedIdle = true;
        } else if (parser.endOfStream()) {
            whole(System.nanoTime());
        } else {
            broken(Outcome.Reset::new);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (over) {
            return;
        }
        if (places.isEmpty()) {
            endedIdle = true;
            return;
        }
        Throwable cause = TlsFailures.jdks(thrown);
        Exception exception = cause instanceof Exception e ? e : new IOException(cause);
        broken(stage -> Failures.ofExchange(exception, stage));
    }

    /** Whose response had begun, and those behind it, come to nothing. */
    private void broken(Function<Stage, Outcome> outcome) {
        boolean headRead = parser.headRead();
        List<PipelinedUser> failed = users();
        end(true);
        failed.forEach(user -> user.fail(outcome.apply(user.flight().stage(headRead))));
    }

    /**
     * Ends what is in it if its time is up. The others' responses may still come; no more is asked.
     *
     * @return as {@link Watched#expire}
     */
    long expire(long now, boolean abandon) {
        List<PipelinedUser> late = new ArrayList<>();
        long wait = Long.MAX_VALUE;
        for (Place place : places) {
            if (place.user != null) {
                long left = place.user.flight().leftNanos(now);
                if (left > 0 && !abandon) {
                    wait = left;
                    break;
                }
                late.add(place.user);
                place.user = null;
            }
        }
        if (!late.isEmpty()) {
            retired = true;
            owner.retired(this);
            endIfDone();
            late.forEach(user -> user.fail(Outcome.ClientFault.stopped()));
        }
        return wait;
    }

    private void endIfDone() {
        if (retired && !over && users().isEmpty()) {
            end(true);
        }
    }

    private void end(boolean reset) {
        over = true;
        unflushed = false;
        places.clear();
        owner.ended(this);
        loop.drop(channel, reset);
    }

    /** Closes the channel; nobody hears of what is in it. */
    void close() {
        if (!over) {
            end(false);
        }
    }
}
