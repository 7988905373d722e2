package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.phaseload.events.connection.LoopConnection;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.tls.Tls;
import io.phaseload.events.tls.TlsFailures;
import io.phaseload.http.Failures;
import io.phaseload.http.IdleConnection;
import io.phaseload.http.MalformedException;
import io.phaseload.http.ResponseParser;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.InstanceState;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
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
        // Whether it was sent before the one before it was answered.
        private final boolean behind;
        private PipelinedUser user;

        Place(PipelinedUser user, boolean behind) {
            this.request = user.request();
            this.behind = behind;
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
    private boolean goodbye;
    private long idleSince = System.nanoTime();
    // Whether nothing has come since requests were sent after an idle time.
    private boolean afterIdle;
    private long answers;
    private boolean retired;
    private boolean over;

    Pipeline(LoopContext loop, PipelinedConnection owner, SocketChannel channel) {
        this.loop = loop;
        this.owner = owner;
        this.channel = channel;
        this.parser = new ResponseParser();
        channel.pipeline().addLast(this);
    }

    /** Whether nothing is in it. */
    boolean isEmpty() {
        return places.isEmpty();
    }

    /** Whether nothing was in it for a while. */
    boolean isIdle() {
        return places.isEmpty() && IdleConnection.wasIdle(idleSince, System.nanoTime());
    }

    /** Begins to gather what is sent, until {@link #flushAll()}. */
    void gather() {
        reading = true;
    }

    /**
     * Sends a user's request.
     *
     * @param setUp how the connection was made for it, or {@code null} if it was there
     * @param anew whether that is in the place of one that the server had closed
     * @param onIdle whether nothing was in it for a while
     */
    void send(PipelinedUser user, SetUp setUp, boolean anew, boolean onIdle) {
        user.begin(setUp, anew);
        Place place = new Place(user, !places.isEmpty());
        places.add(place);
        if (!place.behind) {
            afterIdle = onIdle;
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

    void flushAll() {
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
                if (!LoopConnection.isBlank(buffer)) {
                    lose(true);
                }
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
            if (afterIdle && IdleConnection.isIdleTimeout(parser)) {
                broken(Outcome.Reset::new, true);
                return;
            }
            whole(now, places.size() == 1 && !LoopConnection.isBlank(buffer));
        }
    }

    /**
     * The first response is whole.
     *
     * @param surplus whether more came with it than belongs to it
     */
    private void whole(long now, boolean surplus) {
        Place first = places.poll();
        int status = parser.status();
        Outcome outcome = first.request.judge(status, parser.body());
        InstanceState instance = parser.instance();
        List<PipelinedUser> unread = List.of();
        answers++;
        afterIdle = false;
        idleSince = now;
        if (first.behind) {
            owner.pipelined();
        }
        if (!first.request.keepsConnection() || !parser.keepsConnection()) {
            // A server that says so processes no more requests (RFC 9112 §9.6).
            unread = users();
            end(false, !unread.isEmpty());
        } else if (surplus) {
            // Before it is told, for whoever hears of it asks again at once.
            lose(true);
        } else if (!places.isEmpty()) {
            expect(places.peek());
        }
        if (first.user != null) {
            first.user.whole(now, outcome, status, instance);
        }
        if (!unread.isEmpty()) {
            boolean unpipelined = answers == 1 && owner.endedEarly(true);
            unread.forEach(unpipelined ? PipelinedUser::failUnpipelined : PipelinedUser::again);
        }
        if (retired && !over && users().isEmpty()) {
            end(true, false);
        }
        if (!over && places.isEmpty()) {
            owner.emptied();
        }
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
        if (event == SslCloseCompletionEvent.SUCCESS) {
            goodbye = true;
            ended();
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            goodbye |= !over && loop.tls() != null && Tls.engine(channel).isInboundDone();
            ended();
        } else if (event == ChannelOutputShutdownEvent.INSTANCE && !over) {
            // What has come is still read; then comes the end.
            retire(true);
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
            lose(false);
        } else if (!parser.endOfStream()) {
            broken(Outcome.Reset::new);
        } else if (loop.tls() == null || goodbye) {
            whole(System.nanoTime(), false);
        } else {
            broken(
                    stage ->
                            stage == Stage.BEFORE_RESPONSE
                                    ? new Outcome.Reset(stage)
                                    : new Outcome.NoCloseNotify());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (over) {
            return;
        }
        if (places.isEmpty()) {
            lose(true);
            return;
        }
        Throwable cause = TlsFailures.jdks(thrown);
        Exception exception = cause instanceof Exception e ? e : new IOException(cause);
        broken(stage -> Failures.ofExchange(exception, stage));
    }

    private void broken(Function<Stage, Outcome> outcome) {
        PipelinedUser first = places.peek().user;
        broken(outcome, afterIdle && first != null && first.flight().unanswered());
    }

    /**
     * Whose response had begun, and those behind it, come to nothing.
     *
     * @param perhapsUnread whether the server had closed it, perhaps before they came
     */
    private void broken(Function<Stage, Outcome> outcome, boolean perhapsUnread) {
        boolean headRead = parser.headRead();
        List<PipelinedUser> failed = users();
        boolean nothing = failed.stream().allMatch(user -> user.flight().unanswered());
        end(true, perhapsUnread);
        boolean several = answers + failed.size() > 1;
        boolean unpipelined = nothing && answers <= 1 && owner.endedEarly(several);
        for (int i = 0; i < failed.size(); i++) {
            PipelinedUser user = failed.get(i);
            Outcome found = outcome.apply(user.flight().stage(headRead));
            boolean behind = answers == 1 || i > 0;
            if (!(found instanceof Outcome.Reset)) {
                user.fail(found);
            } else if (perhapsUnread) {
                user.perhapsUnread();
            } else if (unpipelined && behind) {
                user.failUnpipelined();
            } else {
                user.fail(found);
            }
        }
    }

    /**
     * Ends what is in it if its time is up. The others' responses may still come; no more is asked.
     *
     * @return as {@link Expirable#expire}
     */
    long expire(long now, boolean abandon) {
        List<Place> late = new ArrayList<>();
        List<PipelinedUser> users = new ArrayList<>();
        long wait = Long.MAX_VALUE;
        for (Place place : places) {
            if (place.user != null) {
                long left = place.user.flight().leftNanos(now);
                if (left > 0 && !abandon) {
                    wait = left;
                    break;
                }
                late.add(place);
                users.add(place.user);
                place.user = null;
            }
        }
        if (!late.isEmpty()) {
            boolean unpipelined = answers > 0 && !abandon && late.get(0).behind;
            retire(false);
            if (users().isEmpty()) {
                end(true, false);
            }
            boolean known = unpipelined && owner.unansweredBehind();
            users.forEach(
                    known
                            ? PipelinedUser::failUnpipelined
                            : user -> user.fail(Outcome.ClientFault.stopped()));
        }
        return wait;
    }

    /** It takes no more requests. */
    private void retire(boolean lost) {
        retired = true;
        owner.retired(this, lost);
    }

    /** The server has ended it while nothing was in it, or said what nobody asked for. */
    private void lose(boolean reset) {
        end(reset, true);
    }

    private void end(boolean reset, boolean lost) {
        over = true;
        unflushed = false;
        places.clear();
        owner.ended(this, lost);
        loop.drop(channel, reset);
    }

    /** Closes the channel; nobody hears of what is in it. */
    void close() {
        if (!over) {
            end(false, false);
        }
    }
}
