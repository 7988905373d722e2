package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.LoopRequest.WireView;
import io.phaseload.events.connection.ServerEnd;
import io.phaseload.events.tls.TlsFailures;
import io.phaseload.http.FailureCauses;
import io.phaseload.http.IdleConnection;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.timing.InstanceState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Sends requests over one channel without waiting for earlier responses, which arrive in the same order. Requests that
 * are made while a response is read are sent together.
 */
final class Pipeline extends ChannelInboundHandlerAdapter implements SharedSession {

    /** A request that waits for its response; reused for later ones. */
    private static final class Slot {

        private LoopRequest request;
        // Null once it has timed out.
        private SharedUser user;
        // Whether it was sent before the previous one was answered.
        private boolean behind;
        private WireView wire = new WireView();
        private ChannelFuture written;

        void begin(SharedUser by, boolean behindAnother, DuplexChannel channel) {
            request = by.request();
            user = by;
            behind = behindAnother;
            if (written != null && !written.isDone()) {
                // The response came early: the last request is still being sent.
                wire = new WireView();
            }
            written = channel.write(wire.of(request));
        }
    }

    private final LoopContext loop;
    private final SharedConnection owner;
    private final DuplexChannel channel;
    private final SetUp setUp;
    private final PipelineSupport support;
    private final ServerEnd serverEnd;
    private final UnreadProof proof;
    private final ResponseParser parser = new ResponseParser();
    private final Deque<Slot> slots = new ArrayDeque<>();
    private final Deque<Slot> unused = new ArrayDeque<>();
    private boolean reading;
    private boolean unflushed;
    private long idleSince = System.nanoTime();
    private long answers;
    private boolean retired;
    private boolean over;

    Pipeline(LoopContext loop, SharedConnection owner, DuplexChannel channel, SetUp setUp, PipelineSupport support) {
        this.loop = loop;
        this.owner = owner;
        this.channel = channel;
        this.setUp = setUp;
        this.support = support;
        this.serverEnd = new ServerEnd(loop, channel);
        this.proof = new UnreadProof(channel);
    }

    @Override
    public void start() {
        channel.pipeline().addLast(this);
        owner.ready(setUp);
    }

    @Override
    public boolean hasRoom() {
        return slots.isEmpty() || !support.oneByOne();
    }

    /** While a user waits for its turn, it hasn't sent yet: that is the client's own time. */
    @Override
    public boolean countsWaiting() {
        return false;
    }

    @Override
    public boolean isIdle(long now) {
        return slots.isEmpty() && IdleConnection.wasIdle(idleSince, now);
    }

    @Override
    public void send(SharedUser user, boolean onIdle, boolean again) {
        Slot slot = unused.isEmpty() ? new Slot() : unused.poll();
        boolean behind = !slots.isEmpty();
        slots.add(slot);
        slot.begin(user, behind, channel);
        unflushed = true;
        if (!behind) {
            proof.begin(onIdle, again);
            expect(slot);
        }
    }

    private void expect(Slot slot) {
        slot.request.prepared().begin(parser, false);
    }

    @Override
    public void flush() {
        if (unflushed && !reading) {
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
            // It is unknown where it ends and the next one begins.
            broken(stage -> stage == Stage.BEFORE_RESPONSE
                    ? new Outcome.Reset(stage)
                    : new Outcome.MalformedResponse(e.getMessage()));
        } finally {
            reading = false;
            flush();
            buffer.release();
        }
    }

    private void read(ByteBuf buffer, long now) throws MalformedException {
        while (!over && buffer.isReadable()) {
            Slot first = slots.peek();
            if (first == null) {
                if (!LoopContext.isBlank(buffer)) {
                    end(true, true);
                }
                return;
            }
            int before = buffer.readableBytes();
            boolean complete = false;
            try {
                complete = loop.parse(buffer, parser);
            } finally {
                if (first.user != null) {
                    first.user.flight().received(before - buffer.readableBytes(), now);
                }
            }
            if (!complete) {
                return;
            }
            if (proof.isPossible() && IdleConnection.isIdleTimeout(parser)) {
                broken(Outcome.Reset::new, true);
                return;
            }
            complete(now, slots.size() == 1 && !LoopContext.isBlank(buffer));
        }
    }

    /**
     * The first response is complete.
     *
     * @param surplus true if more bytes came than belong to it
     */
    private void complete(long now, boolean surplus) {
        Slot first = slots.poll();
        SharedUser user = first.user;
        int status = parser.status();
        Outcome outcome = user == null ? null : user.flight().judged(now, parser);
        InstanceState instance = parser.instance();
        List<SharedUser> unread = List.of();
        answers++;
        proof.answered();
        idleSince = now;
        if (first.behind) {
            support.proven();
        }
        if (!first.request.prepared().keepsConnection() || !parser.keepsConnection()) {
            // The server then processes no more requests (RFC 9112 §9.6).
            unread = users();
            end(false, !unread.isEmpty());
        } else if (surplus) {
            // Before its user learns of it, which sends its next request at once.
            end(true, true);
        } else if (!slots.isEmpty()) {
            expect(slots.peek());
        }
        unused.push(first);
        if (user != null) {
            user.complete(now, outcome, status, instance);
        }
        if (!unread.isEmpty()) {
            boolean unpipelined = answers == 1 && support.endedEarly(true);
            unread.forEach(unpipelined ? SharedUser::failUnpipelined : SharedUser::resend);
        }
        if (retired && !over && users().isEmpty()) {
            end(true, false);
        }
        if (!over && slots.isEmpty()) {
            owner.sendWaiting();
        }
    }

    /** The users that wait for responses, in order. */
    private List<SharedUser> users() {
        List<SharedUser> users = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.user != null) {
                users.add(slot.user);
            }
        }
        return users;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (over) {
            return;
        }
        if (serverEnd.isToldBy(event)) {
            if (!slots.isEmpty() && proof.isCertain()) {
                unread();
            } else {
                ended();
            }
        } else if (event == ChannelOutputShutdownEvent.INSTANCE) {
            // What the server has sent is still read, up to the end.
            proof.refused();
            retire(true);
        }
    }

    /** The server ended the connection before it got any of the requests. */
    private void unread() {
        List<SharedUser> unread = users();
        end(true, true);
        Outcome reset = new Outcome.Reset(Stage.BEFORE_RESPONSE);
        unread.forEach(user -> user.sendUnread(true, reset));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!over) {
            ended();
        }
    }

    private void ended() {
        if (slots.isEmpty()) {
            end(false, true);
        } else if (!parser.endOfStream()) {
            broken(Outcome.Reset::new);
        } else if (serverEnd.isTrusted()) {
            complete(System.nanoTime(), false);
        } else {
            broken(stage ->
                    stage == Stage.BEFORE_RESPONSE ? new Outcome.Reset(stage) : Outcome.NoResponse.NO_CLOSE_NOTIFY);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (over) {
            return;
        }
        if (slots.isEmpty()) {
            end(true, true);
        } else {
            Throwable cause = TlsFailures.jdks(thrown);
            broken(stage -> FailureCauses.ofExchange(cause, stage));
        }
    }

    private void broken(Function<Stage, Outcome> outcome) {
        SharedUser first = slots.peek().user;
        broken(outcome, proof.isPossible() && first != null && first.flight().unanswered());
    }

    /**
     * The request whose response had begun, and those after it, fail.
     *
     * @param maybeUnread true if the server may have closed the connection before they arrived
     */
    private void broken(Function<Stage, Outcome> outcome, boolean maybeUnread) {
        boolean headRead = parser.headRead();
        List<SharedUser> failed = users();
        boolean nothing = failed.stream().allMatch(user -> user.flight().unanswered());
        boolean received = proof.isRefuted();
        long now = System.nanoTime();
        end(true, maybeUnread);
        boolean several = answers + failed.size() > 1;
        boolean unpipelined = nothing && answers <= 1 && support.endedEarly(several);
        for (int i = 0; i < failed.size(); i++) {
            SharedUser user = failed.get(i);
            Outcome found = outcome.apply(user.flight().stage(headRead));
            boolean behind = answers == 1 || i > 0;
            if (!(found instanceof Outcome.Reset)) {
                user.fail(found, null);
            } else if (maybeUnread && user.idempotent()) {
                user.resend();
            } else if (unpipelined && behind) {
                user.failUnpipelined();
            } else {
                user.fail(received ? found : user.flight().unanswered(found, setUp.nanos(), now), null);
            }
        }
    }

    /** Other responses may still arrive; no more requests are accepted. */
    @Override
    public long expire(long now, boolean abandon) {
        List<Slot> late = new ArrayList<>();
        List<SharedUser> users = new ArrayList<>();
        long wait = Long.MAX_VALUE;
        for (Slot slot : slots) {
            if (slot.user != null) {
                long left = slot.user.flight().leftNanos(now);
                if (left > 0 && !abandon) {
                    wait = left;
                    break;
                }
                late.add(slot);
                users.add(slot.user);
                slot.user = null;
            }
        }
        if (!late.isEmpty()) {
            boolean unpipelined = answers > 0 && !abandon && late.get(0).behind;
            retire(false);
            if (users().isEmpty()) {
                end(true, false);
            }
            boolean known = unpipelined && support.unansweredBehind();
            users.forEach(known ? SharedUser::failUnpipelined : user -> user.fail(Outcome.ClientFault.stopped(), null));
        }
        return wait;
    }

    private void retire(boolean lost) {
        retired = true;
        owner.retired(this, lost);
    }

    /**
     * Ends the channel.
     *
     * @param reset true to send a reset instead of waiting for the server
     * @param lost true if the server closed it, or sent unsolicited data
     */
    private void end(boolean reset, boolean lost) {
        over = true;
        unflushed = false;
        slots.clear();
        owner.ended(this, lost);
        loop.drop(channel, reset);
    }

    @Override
    public void close() {
        if (!over) {
            end(false, false);
        }
    }
}
