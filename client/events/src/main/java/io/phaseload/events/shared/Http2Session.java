package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.collection.IntObjectHashMap;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.http2.FrameReader;
import io.phaseload.events.http2.FrameWriter;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import io.phaseload.events.http2.Http2Settings;
import io.phaseload.events.http2.ResponseHead;
import io.phaseload.events.tls.TlsFailures;
import io.phaseload.http.Failures;
import io.phaseload.http.IdleConnection;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Http2Windows;
import java.util.List;
import java.util.function.Function;

/**
 * HTTP/2 over one channel (RFC 9113), from its beginning to its end. It takes requests once the
 * server's settings have come. Owned by one event loop.
 */
final class Http2Session extends ChannelInboundHandlerAdapter implements FrameReader.Listener {

    private final LoopContext loop;
    private final Http2Connection owner;
    private final SocketChannel channel;
    private final FrameReader frames = new FrameReader(this);
    private final FrameWriter out;
    private final IntObjectHashMap<Http2User> streams = new IntObjectHashMap<>();
    private final Http2Uploads uploads;
    private final Http2Downloads downloads;
    private final Http2Start start;

    private boolean retired;
    private long idleSince;
    // Whether nothing has come of responses since requests were sent after an idle time.
    private boolean afterIdle;
    private boolean over;
    private int next = 1;
    private long maxStreams = Long.MAX_VALUE;
    private String goAway;

    private final Runnable flush = this::flush;
    private final Runnable resume = this::resumeUploads;
    private boolean reading;
    private boolean flushing;
    private long readNanos;

    /**
     * Begins HTTP/2 on a channel of which nothing was read.
     *
     * @param setUp how it was made
     * @param anew whether that is in the place of one that the server had closed
     */
    Http2Session(
            LoopContext loop,
            Http2Connection owner,
            SocketChannel channel,
            SetUp setUp,
            boolean anew,
            Http2Windows windows) {
        this.loop = loop;
        this.owner = owner;
        this.channel = channel;
        this.start = new Http2Start(setUp, anew);
        this.out = new FrameWriter(channel);
        this.uploads = new Http2Uploads(channel, out);
        this.downloads = new Http2Downloads(windows, out);
        channel.pipeline().addLast(this);
        downloads.announce();
        out.flush();
    }

    /** Whether the server speaks HTTP/2 and takes requests. */
    boolean ready() {
        return start.ready();
    }

    /** Whether a request can be sent at once. */
    boolean hasRoom() {
        return start.ready() && streams.size() < maxStreams;
    }

    /** Whether it was ready, and no stream was open, for a while. */
    boolean isIdle() {
        return start.ready()
                && !reading
                && streams.isEmpty()
                && IdleConnection.wasIdle(idleSince, System.nanoTime());
    }

    /**
     * Sends a user's request.
     *
     * @param onIdle whether no stream was open for a while
     */
    void begin(Http2User user, boolean onIdle) {
        int id = next;
        if (streams.isEmpty()) {
            afterIdle = onIdle;
        }
        streams.put(id, user);
        user.begin(this, id, start.takeSetUp(), start.takeAnew(), uploads.firstWindow());
        LoopRequest request = user.request();
        boolean whole = request.bodyLength() == 0;
        out.headers(id, request.wire(), request.headLength(), id == 1, whole);
        next += 2;
        if (!whole) {
            uploads.send(user);
        }
        flushSoon();
        if (next < 0) {
            // There are no more numbers.
            retire(false);
        }
    }

    private void resumeUploads() {
        uploads.resume();
        flushSoon();
    }

    /** Once for all that is sent in a turn of the loop. */
    private void flushSoon() {
        if (reading || flushing) {
            return;
        }
        flushing = true;
        loop.execute(flush);
    }

    private void flush() {
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
        flush();
    }

    @Override
    public void head(int stream, ResponseHead head, boolean last) throws Http2Exception {
        Http2User user = user(stream);
        if (user == null) {
            return;
        }
        String wrong = user.response().head(head, last);
        proceed(user, wrong, last);
    }

    @Override
    public void data(int stream, ByteBuf bytes, int length, int taken, boolean last)
            throws Http2Exception {
        Http2User user = user(stream);
        downloads.take(user, taken, last);
        if (user == null) {
            return;
        }
        user.flight().received(taken, readNanos);
        proceed(user, user.response().data(bytes, length), last);
    }

    /** A part of a response has come, which may be wrong, or the last. */
    private void proceed(Http2User user, String wrong, boolean last) {
        String found = wrong == null && last ? user.response().end() : wrong;
        if (found != null) {
            out.reset(user.id(), Http2Error.PROTOCOL_ERROR);
            remove(user);
            user.fail(new Outcome.MalformedResponse(found));
            settle();
        } else if (last) {
            if (user.bodyLeft() > 0) {
                // It needs no more of the request.
                out.reset(user.id(), Http2Error.NO_ERROR);
            }
            remove(user);
            owner.sendWaiting();
            user.whole(readNanos);
            settle();
        }
    }

    @Override
    public void overhead(int stream, int bytes) {
        Http2User user = streams.get(stream);
        if (user != null) {
            afterIdle = false;
            user.flight().received(bytes, readNanos);
        }
    }

    @Override
    public void reset(int stream, long code) throws Http2Exception {
        Http2User user = user(stream);
        if (user != null) {
            remove(user);
            user.fail(new Outcome.Http2Failure("stream reset", Http2Error.name(code)));
            settle();
        }
    }

    @Override
    public void setting(int key, long value) throws Http2Exception {
        Http2Settings.check(key, value);
        if (key == Http2Settings.MAX_CONCURRENT_STREAMS) {
            maxStreams = value;
        } else if (key == Http2Settings.INITIAL_WINDOW_SIZE) {
            uploads.firstWindow((int) value, streams.values());
        }
    }

    @Override
    public void settingsEnd() {
        out.settingsAck();
        if (start.ready()) {
            owner.sendWaiting();
            resumeUploads();
            return;
        }
        start.settingsCame(readNanos);
        idleSince = readNanos;
        owner.becameReady();
    }

    @Override
    public void ping(long content) {
        out.pingAck(content);
    }

    @Override
    public void goAway(int lastStream, long code) {
        goAway = code == 0 ? null : Http2Error.name(code);
        if (unused()) {
            // Another connection would hear the same.
            end(false, stage -> new Outcome.Http2Failure("goaway", Http2Error.name(code)));
            return;
        }
        retire(true);
        for (Http2User user : List.copyOf(streams.values())) {
            if (user.id() > lastStream) {
                remove(user);
                user.again(code, lastStream > 0);
            }
        }
        settle();
    }

    @Override
    public void window(int stream, int more) throws Http2Exception {
        Http2User user = stream == 0 ? null : user(stream);
        if (more == 0) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "a window that is widened by 0");
        }
        if (stream == 0 || user != null) {
            uploads.widen(user, more);
        }
        resumeUploads();
    }

    /** The user of a stream, or {@code null} if it is over. */
    private Http2User user(int stream) throws Http2Exception {
        Http2User user = streams.get(stream);
        if (user == null && ((stream & 1) == 0 || stream - next >= 0)) {
            throw new Http2Exception(
                    Http2Error.PROTOCOL_ERROR, "stream %d, which nobody opened".formatted(stream));
        }
        return user;
    }

    /** A user gives its request up; the server may do so, too. */
    void cancel(Http2User user) {
        out.reset(user.id(), Http2Error.CANCEL);
        remove(user);
        flushSoon();
        settle();
    }

    private void remove(Http2User user) {
        streams.remove(user.id());
        uploads.remove(user);
        if (streams.isEmpty()) {
            idleSince = reading ? readNanos : System.nanoTime();
        }
    }

    /** It takes no more requests. */
    private void retire(boolean byServer) {
        retired = true;
        owner.retired(this, byServer);
    }

    /** A stream is over: another one may have its place, or nothing is left to wait for. */
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
        if (channel.isWritable() && uploads.anyWaits()) {
            // Not from within: it is told while what was gathered is being sent.
            loop.execute(resume);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE
                || event == SslCloseCompletionEvent.SUCCESS) {
            lost();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lost();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        // Not from within: a write may fail while frames are being written.
        loop.execute(() -> failed(TlsFailures.jdks(thrown)));
    }

    private void failed(Throwable cause) {
        if (!channel.isOutputShutdown()) {
            end(
                    true,
                    stage ->
                            cause instanceof Exception exception
                                    ? Failures.ofExchange(exception, stage)
                                    : new Outcome.ClientFault("internal", cause.toString()));
        } else if (!over && !retired && !unused()) {
            // What has come is still read when a write fails; then comes the end.
            retire(true);
            settle();
        }
    }

    /** Whether no request was sent over it. */
    private boolean unused() {
        return next == 1;
    }

    private void lost() {
        end(true, Outcome.Reset::new);
    }

    /** The server doesn't keep to HTTP/2, or doesn't speak it. */
    private void broken(Http2Exception e, ByteBuf bytes, int from) {
        Outcome outcome =
                frames.begun()
                        ? new Outcome.MalformedResponse(e.getMessage())
                        : new Outcome.NoHttp2(
                                "the server said " + Http2Start.firstLine(bytes, from));
        out.goAway(e.error());
        out.flush();
        end(false, stage -> outcome);
    }

    /** Ends whatever is in flight; nobody but this knows the channel. */
    private void end(boolean reset, Function<Outcome.Reset.Stage, Outcome> why) {
        if (over) {
            return;
        }
        List<Http2User> failed = List.copyOf(streams.values());
        shut(reset);
        if (unused()) {
            owner.failed(why.apply(Outcome.Reset.Stage.BEFORE_RESPONSE));
            return;
        }
        owner.ended(this, failed.isEmpty() || afterIdle);
        for (Http2User user : failed) {
            Outcome outcome =
                    goAway == null
                            ? why.apply(user.stage())
                            : new Outcome.Http2Failure("goaway", goAway);
            if (afterIdle && outcome instanceof Outcome.Reset) {
                user.perhapsUnread();
            } else {
                user.fail(outcome);
            }
        }
    }

    /** Ends the attempt to begin, if its time is up; as {@link Expirable#expire}. */
    long expire(long now, boolean abandon) {
        if (start.ready()) {
            return Long.MAX_VALUE;
        }
        long left = start.leftNanos(now, loop.connectLimitNanos());
        if (left > 0 && !abandon) {
            return left;
        }
        Outcome outcome = left > 0 ? Outcome.ClientFault.stopped() : new Outcome.ConnectTimeout();
        end(true, stage -> outcome);
        return Long.MAX_VALUE;
    }

    /** Ends the connection in order. */
    void close() {
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
