package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.http2.FrameReader;
import io.phaseload.events.http2.FrameWriter;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import io.phaseload.events.tls.Tls;
import io.phaseload.events.tls.TlsFailures;
import io.phaseload.http.FailureCauses;
import io.phaseload.http.IdleConnection;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.engine.Http2Windows;
import java.util.List;
import java.util.function.Function;

/**
 * HTTP/2 over one channel (RFC 9113). It takes requests once the server's settings have arrived. Owned by one event
 * loop.
 */
final class Http2Session extends ChannelInboundHandlerAdapter implements SharedSession {

    private final LoopContext loop;
    private final SharedConnection owner;
    private final DuplexChannel channel;
    private final FrameReader frames;
    private final FrameWriter out;
    private final Http2Streams streams = new Http2Streams();
    private final Http2Uploads uploads;
    private final Http2Downloads downloads;
    private final Http2Handshake handshake;
    private final UnreadProof proof;

    private boolean retired;
    private long idleSince;
    // Whether it ended before the server got any of the requests in flight.
    private boolean unread;
    // Whether it was reset, or couldn't be written to.
    private boolean failing;
    private long setUpNanos;
    private boolean over;
    private String goAway;

    private final Runnable flush = this::flushNow;
    private final Runnable resume = this::resumeUploads;
    private boolean reading;
    private boolean flushing;
    private long readNanos;

    /**
     * Creates a session on a channel from which nothing was read.
     *
     * @param setUp the times of making the channel
     */
    Http2Session(LoopContext loop, SharedConnection owner, DuplexChannel channel, SetUp setUp, Http2Windows windows) {
        this.loop = loop;
        this.owner = owner;
        this.channel = channel;
        this.handshake = new Http2Handshake(setUp);
        this.proof = new UnreadProof(channel);
        this.out = new FrameWriter(channel);
        this.uploads = new Http2Uploads(channel, out);
        this.downloads = new Http2Downloads(windows, out);
        this.frames = new FrameReader(
                new Http2FrameHandler(this, streams, uploads, downloads, out, new ProgressBudget()), loop.keepsHeads());
    }

    @Override
    public void start() {
        if (loop.tls() != null && !Tls.isHttp2(channel)) {
            end(true, stage -> SharedFailure.noHttp2("the server chose another protocol by ALPN"));
            return;
        }
        channel.pipeline().addLast(this);
        downloads.announce();
        out.flush();
    }

    @Override
    public boolean hasRoom() {
        return handshake.done() && streams.hasRoom();
    }

    /** The server says how many streams it allows. */
    @Override
    public boolean countsWaiting() {
        return handshake.done();
    }

    @Override
    public boolean isIdle(long now) {
        return handshake.done() && !reading && streams.isEmpty() && IdleConnection.wasIdle(idleSince, now);
    }

    @Override
    public void send(SharedUser user, boolean onIdle, boolean again) {
        if (streams.isEmpty()) {
            proof.begin(onIdle, again);
        }
        boolean first = streams.noneEver();
        Http2Stream stream = streams.open(user, uploads.firstWindow());
        LoopRequest request = user.request();
        boolean whole = request.bodyLength() == 0;
        out.headers(stream.id(), request.wire(), request.headLength(), first, whole);
        if (stream.bodyAwaited()) {
            int id = stream.id();
            // Unless the server says before whether it wants it.
            loop.afterContinue(() -> {
                if (streams.find(id) == stream) {
                    sendBody(stream);
                }
            });
        } else if (!whole) {
            uploads.send(stream);
        }
        if (streams.exhausted()) {
            retire(false);
        }
    }

    /** The server asks for it, or says nothing. */
    void sendBody(Http2Stream stream) {
        if (stream.bodyAwaited() && !stream.response().headRead()) {
            stream.bodyWanted();
            uploads.send(stream);
            flush();
        }
    }

    void resumeUploads() {
        uploads.resume();
        flush();
    }

    /** Once for everything that is sent in one turn of the loop. */
    @Override
    public void flush() {
        if (reading || flushing) {
            return;
        }
        flushing = true;
        loop.execute(flush);
    }

    private void flushNow() {
        flushing = false;
        if (!over) {
            out.flush();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (over) {
                return;
            }
            reading = true;
            readNanos = System.nanoTime();
            int from = bytes.readerIndex();
            try {
                frames.read(bytes);
            } catch (Http2Exception e) {
                broken(e, bytes, from);
            }
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        flushNow();
    }

    long readNanos() {
        return readNanos;
    }

    /** A part of a response has arrived. */
    void answering() {
        proof.answering();
    }

    /** A response is complete. */
    void completed(Http2Stream stream) {
        proof.answered();
        remove(stream);
        owner.sendWaiting();
        stream.complete(readNanos);
        streams.reuse(stream);
        settle();
    }

    /** A request fails; the others go on. */
    void failed(Http2Stream stream, Outcome outcome) {
        remove(stream);
        stream.fail(outcome);
        settle();
    }

    /** The server has sent its settings, perhaps for the first time. */
    void settingsCame() {
        if (handshake.done()) {
            owner.sendWaiting();
            resumeUploads();
        } else {
            idleSince = readNanos;
            SetUp setUp = handshake.end(readNanos);
            setUpNanos = setUp.nanos();
            owner.ready(setUp);
        }
    }

    /** The server takes no more requests, and hasn't read those after the last stream. */
    void goAway(int lastStream, long code) {
        goAway = code == 0 ? null : Http2Error.name(code);
        Outcome outcome = SharedFailure.ended("goaway", Http2Error.name(code));
        if (streams.noneEver()) {
            // Another connection would fare the same.
            end(false, stage -> outcome);
            return;
        }
        retire(true);
        for (Http2Stream stream : streams.all()) {
            if (stream.id() > lastStream) {
                remove(stream);
                stream.user().sendUnread(lastStream > 0, outcome);
            }
        }
        settle();
    }

    private void remove(Http2Stream stream) {
        streams.close(stream);
        uploads.remove(stream);
        if (streams.isEmpty()) {
            idleSince = reading ? readNanos : System.nanoTime();
        }
    }

    /** It takes no more requests. */
    private void retire(boolean byServer) {
        retired = true;
        owner.retired(this, byServer);
    }

    /** A stream is over: another one may take its place, or nothing is left to wait for. */
    private void settle() {
        if (over) {
            return;
        }
        owner.sendWaiting();
        if (retired && streams.isEmpty()) {
            close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable() && uploads.anyReady()) {
            // Later: this is called while collected frames are being sent.
            loop.execute(resume);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE || event == SslCloseCompletionEvent.SUCCESS) {
            // A reset, which proves nothing, is reported as an exception first.
            unread = !over && !failing && proof.isCertain();
            end(true, Outcome.Reset::new);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(true, Outcome.Reset::new);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        failing = true;
        // Later: a write may fail while frames are being written.
        loop.execute(() -> broken(TlsFailures.jdks(thrown)));
    }

    private void broken(Throwable cause) {
        if (!channel.isOutputShutdown()) {
            end(true, stage -> FailureCauses.ofExchange(cause, stage));
        } else if (!over && !retired && !streams.noneEver()) {
            // What the server has sent is still read, up to the end.
            retire(true);
            settle();
        }
    }

    /** The server violates HTTP/2, or doesn't speak it. */
    private void broken(Http2Exception e, ByteBuf bytes, int from) {
        Outcome outcome = frames.begun()
                ? new Outcome.MalformedResponse(e.getMessage())
                : SharedFailure.noHttp2("the server said " + Http2Handshake.firstLine(bytes, from));
        out.goAway(e.error());
        out.flush();
        end(false, stage -> outcome);
    }

    /** Ends the channel and whatever is in flight. */
    private void end(boolean reset, Function<Outcome.Reset.Stage, Outcome> why) {
        if (over) {
            return;
        }
        List<Http2Stream> failed = streams.all();
        boolean received = proof.isRefuted();
        long now = System.nanoTime();
        shut(reset);
        if (streams.noneEver()) {
            owner.failed(System.nanoTime(), why.apply(Outcome.Reset.Stage.BEFORE_RESPONSE));
            return;
        }
        owner.ended(this, failed.isEmpty() || proof.isPossible() || unread);
        for (Http2Stream stream : failed) {
            Outcome outcome = goAway == null ? why.apply(stream.stage()) : SharedFailure.ended("goaway", goAway);
            if (unread) {
                stream.user().sendUnread(true, outcome);
            } else if (proof.isPossible()
                    && outcome instanceof Outcome.Reset
                    && stream.user().idempotent()) {
                stream.user().resend();
            } else {
                stream.fail(received ? outcome : stream.user().flight().unanswered(outcome, setUpNanos, now));
            }
        }
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (!handshake.done()) {
            return expireHandshake(now, abandon);
        }
        long wait = Long.MAX_VALUE;
        for (Http2Stream stream : streams.all()) {
            long left = stream.user().flight().leftNanos(now);
            if (left > 0 && !abandon) {
                wait = Math.min(wait, left);
            } else {
                out.reset(stream.id(), Http2Error.CANCEL);
                remove(stream);
                stream.fail(Outcome.ClientFault.stopped());
                flush();
            }
        }
        settle();
        return wait;
    }

    private long expireHandshake(long now, boolean abandon) {
        long left = handshake.leftNanos(now, loop.connectLimitNanos());
        if (left > 0 && !abandon) {
            return left;
        }
        shut(true);
        owner.failed(
                Math.min(now, now + left),
                left > 0 ? Outcome.ClientFault.stopped() : Outcome.NoResponse.CONNECT_TIMEOUT);
        return Long.MAX_VALUE;
    }

    /** Ends the connection normally. */
    @Override
    public void close() {
        if (!over) {
            out.goAway(Http2Error.NO_ERROR);
            out.flush();
            shut(false);
            owner.ended(this, false);
        }
    }

    private void shut(boolean reset) {
        over = true;
        frames.stop();
        streams.clear();
        uploads.clear();
        out.release();
        loop.drop(channel, reset);
    }
}
