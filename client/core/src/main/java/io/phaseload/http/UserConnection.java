package io.phaseload.http;

import io.phaseload.http.Exchange.SetUp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.io.CloseMode;

/**
 * One user's connection. It is opened by the first request and kept as long as the server keeps it.
 *
 * <p>Owned by one thread at a time; only {@link Deadlines} touches it from outside, through {@link
 * #expire}.
 */
public final class UserConnection implements AutoCloseable {

    /** States of {@link #deadline}; real deadlines are odd numbers. */
    private static final long IDLE = 0;

    private static final long EXPIRED = 2;
    private static final long ABANDONED = 4;
    private static final long CLOSING = 6;

    /** A user's turn at opening a connection. */
    @FunctionalInterface
    public interface Turn {

        /** At once, always. */
        Turn AT_ONCE = () -> true;

        /**
         * Waits for it.
         *
         * @return {@code false} if no connection is to be opened any more
         */
        boolean await();
    }

    /** In the place of a first byte's time. */
    private static final long NO_BYTE = -1;

    /** As much of a body as checks and metrics look at. */
    private static final int KEPT_BYTES = 1 << 20;

    /** A request up to this size is handed to the system whole or not at all. */
    private static final int ATOMIC_WRITE = 16 << 10;

    private static final DefaultConnectionReuseStrategy REUSE =
            DefaultConnectionReuseStrategy.INSTANCE;

    private final Connector connector;
    private final Deadlines deadlines;
    private final Turn turn;
    private final long connectLimitNanos;
    private final long responseLimitNanos;
    private final AtomicLong deadline = new AtomicLong(IDLE);
    private byte[] chunk = new byte[1024];

    private ResponseHeadParser heads = new ResponseHeadParser();
    private DefaultBHttpClientConnection http = WireFormat.newConnection(heads);
    private volatile Socket socket;
    private SetUp lastSetUp;

    // How far the exchange in progress has come, for telling what a failure means.
    private boolean written;
    private boolean headerRead;

    private boolean keepBody;
    private ByteArrayOutputStream body;

    /**
     * Makes a connection that isn't opened yet.
     *
     * @param connector makes its sockets
     * @param deadlines watches it until it is closed
     */
    public UserConnection(Connector connector, Deadlines deadlines) {
        this(connector, deadlines, Turn.AT_ONCE);
    }

    /**
     * Makes a connection that isn't opened yet.
     *
     * @param connector makes its sockets
     * @param deadlines watches it until it is closed
     * @param turn is awaited before each attempt at opening it; that wait is part of no figure
     */
    public UserConnection(Connector connector, Deadlines deadlines, Turn turn) {
        this.connector = connector;
        this.deadlines = deadlines;
        this.turn = turn;
        this.connectLimitNanos = connector.target().connectTimeout().toNanos();
        this.responseLimitNanos = connector.target().responseTimeout().toNanos();
        deadlines.add(this);
    }

    /**
     * Sends a request and reads its response to the end. Never throws: what goes wrong is the
     * exchange's outcome.
     *
     * <p>If the server had closed a kept connection before the request was sent, and nothing of a
     * response came, the request goes once over a fresh connection.
     *
     * @param request what to send
     * @return what it came to; {@code null} if it wasn't sent, since no connection was there and
     *     none is to be opened any more
     */
    public Exchange exchange(PreparedRequest request) {
        if (!http.isOpen()) {
            return openAndSend(request, false);
        }
        Exchange exchange = send(request, null, true, false);
        return exchange != null ? exchange : openAndSend(request, true);
    }

    /**
     * Does as {@link #exchange} and keeps the body of the response, for {@link #lastBody()}.
     *
     * @param request what to send
     * @return what it came to
     */
    public Exchange exchangeKeepingBody(PreparedRequest request) {
        keepBody = true;
        try {
            return exchange(request);
        } finally {
            keepBody = false;
        }
    }

    /**
     * The body of the last response whose header came.
     *
     * @return its first MiB as UTF-8; empty if nothing asked for it to be kept
     */
    public String lastBody() {
        return body == null ? "" : body.toString(StandardCharsets.UTF_8);
    }

    private Exchange openAndSend(PreparedRequest request, boolean reconnected) {
        if (!turn.await()) {
            return null;
        }
        long start = System.nanoTime();
        long limit = arm(start, connectLimitNanos);
        SetUp setUp = null;
        Exception failure = null;
        try {
            setUp = open(start);
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
        long end = System.nanoTime();
        long state = disarm(limit, end);
        if (failure == null && state == limit) {
            lastSetUp = setUp;
            return send(request, setUp, false, reconnected);
        }
        drop(CloseMode.IMMEDIATE);
        Outcome outcome;
        if (state == ABANDONED) {
            outcome = Outcome.ClientFault.stopped();
        } else if (state == EXPIRED) {
            outcome = new Outcome.ConnectTimeout();
        } else {
            outcome = Failures.ofConnect(failure);
        }
        if (outcome.censored()) {
            end = start + connectLimitNanos;
        }
        return new Exchange(start, NO_BYTE, end, outcome, 0, null, reconnected, null);
    }

    private SetUp open(long start) throws IOException {
        InetAddress[] addresses = connector.lookUp();
        long found = System.nanoTime();
        Socket socket = connector.connect(addresses, start + connectLimitNanos, this::watch);
        long connected = System.nanoTime();
        SSLSocket secured = connector.secure(socket);
        // Fresh ones: HttpCore's buffers may hold rests of the last connection.
        heads = new ResponseHeadParser();
        http = WireFormat.newConnection(heads);
        if (secured == null) {
            http.bind(socket);
            return new SetUp(found - start, connected - found, -1);
        }
        http.bind(secured, socket);
        return new SetUp(found - start, connected - found, System.nanoTime() - connected);
    }

    /** Leaves a socket to {@link #expire}, unless that has been called in vain already. */
    private void watch(Socket fresh) throws SocketException {
        socket = fresh;
        if ((deadline.get() & 1) == 0) {
            throw new SocketException("expired while connecting");
        }
    }

    /** Returns {@code null} if the server had closed the connection before. */
    private Exchange send(PreparedRequest request, SetUp setUp, boolean kept, boolean reconnected) {
        long bytesBefore = bytesReceived();
        heads.begin();
        written = false;
        headerRead = false;
        Outcome outcome = null;
        Exception failure = null;
        boolean keep = false;
        long start = System.nanoTime();
        long limit = arm(start, responseLimitNanos);
        try {
            http.sendRequestHeader(request);
            http.flush();
            written = true;
            ClassicHttpResponse response = receiveHeader();
            headerRead = true;
            outcome = request.judge(response.getCode(), readBody(request, response));
            // Without the request, if it has no say in it, its headers needn't be looked through.
            keep = REUSE.keepAlive(request.plain() ? null : request, response, null);
        } catch (IOException | HttpException | RuntimeException e) {
            failure = e;
        }
        long end = System.nanoTime();
        long bytes = bytesReceived() - bytesBefore;
        long state = disarm(limit, end);
        if (state == EXPIRED) {
            outcome = new Outcome.ReadTimeout();
            end = start + responseLimitNanos;
        } else if (state == ABANDONED) {
            outcome = Outcome.ClientFault.stopped();
        } else if (failure != null) {
            if (kept && bytes == 0 && closedBeforeSent(request, failure)) {
                drop(CloseMode.IMMEDIATE);
                return null;
            }
            outcome = Failures.ofExchange(failure, stage(bytes));
        }
        if (failure != null || state != limit) {
            // A reset, so that no port is left waiting for what a broken peer may still send.
            drop(CloseMode.IMMEDIATE);
        } else if (!keep) {
            drop(CloseMode.GRACEFUL);
        }
        long firstByte = bytes > 0 ? heads.firstByteNanos() - start : NO_BYTE;
        return new Exchange(
                start, firstByte, end, outcome, bytes, setUp, reconnected, heads.instance());
    }

    private ClassicHttpResponse receiveHeader() throws IOException, HttpException {
        ClassicHttpResponse response = http.receiveResponseHeader();
        while (response.getCode() < 200) {
            if (response.getCode() == HttpStatus.SC_SWITCHING_PROTOCOLS) {
                throw new ProtocolException("a switch of protocols that nobody asked for");
            }
            response = http.receiveResponseHeader();
        }
        return response;
    }

    /** Reads the body to its end; keeps its beginning if the request asks for it. */
    private ByteArrayOutputStream readBody(PreparedRequest request, ClassicHttpResponse response)
            throws IOException, HttpException {
        ByteArrayOutputStream kept =
                keepBody || request.bodyKept() ? new ByteArrayOutputStream() : null;
        body = kept;
        if (!MessageSupport.canResponseHaveBody(request.getMethod(), response)) {
            return kept;
        }
        http.receiveResponseEntity(response);
        InputStream content = response.getEntity().getContent();
        int read;
        while ((read = content.read(chunk)) >= 0) {
            if (kept != null && kept.size() < KEPT_BYTES) {
                kept.write(chunk, 0, Math.min(read, KEPT_BYTES - kept.size()));
            }
            if (read == chunk.length && read < ATOMIC_WRITE) {
                chunk = new byte[ATOMIC_WRITE];
            }
        }
        return kept;
    }

    /**
     * Whether the server had closed the connection before the request was sent. That is certain in
     * two cases: the system wouldn't take the request; or the stream ended in order (FIN) and the
     * server's system answered the request with a reset (RST), which the next write then meets. A
     * reset alone proves nothing: the server may have read the request, and it counts as a failure.
     */
    private boolean closedBeforeSent(PreparedRequest request, Exception failure) {
        if (!written) {
            return request.wire().length <= ATOMIC_WRITE
                    && Failures.ofExchange(failure, Outcome.Reset.Stage.BEFORE_RESPONSE)
                            instanceof Outcome.Reset;
        }
        if (!Failures.isEndOfStream(failure)) {
            return false;
        }
        // The reset needs a round trip; making the connection took at least one.
        LockSupport.parkNanos(
                Math.max(1_000_000L, Math.min(2 * lastSetUp.nanos(), 1_000_000_000L)));
        try {
            socket.getOutputStream().write(0);
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private Outcome.Reset.Stage stage(long bytes) {
        if (headerRead) {
            return Outcome.Reset.Stage.IN_BODY;
        }
        return bytes > 0 ? Outcome.Reset.Stage.IN_HEADER : Outcome.Reset.Stage.BEFORE_RESPONSE;
    }

    private long bytesReceived() {
        return http.isOpen() ? http.getEndpointDetails().getReceivedBytesCount() : 0;
    }

    private long arm(long start, long nanos) {
        long limit = (start + nanos) | 1;
        deadline.setRelease(limit);
        return limit;
    }

    /** Returns the limit itself if the end came before it, else what became of it. */
    private long disarm(long limit, long end) {
        long state = deadline.compareAndExchange(limit, IDLE);
        while (state == CLOSING) {
            // Else it could close the socket that comes after this one.
            Thread.yield();
            state = deadline.get();
        }
        return state == limit && end - limit >= 0 ? EXPIRED : state;
    }

    /**
     * Closes the socket if the deadline has passed. Called by the thread of {@link Deadlines}.
     *
     * @return nanoseconds until the deadline, or {@link Long#MAX_VALUE} if there is none
     */
    long expire(long now, boolean abandon) {
        long limit = deadline.get();
        if ((limit & 1) == 0) {
            return Long.MAX_VALUE;
        }
        if (!abandon && now - limit < 0) {
            return limit - now;
        }
        // Only the one that swaps it may act on it: the user may have just finished.
        if (deadline.compareAndSet(limit, CLOSING)) {
            closeSocket();
            deadline.set(now - limit >= 0 ? EXPIRED : ABANDONED);
        }
        return Long.MAX_VALUE;
    }

    private void drop(CloseMode mode) {
        http.close(mode);
        closeSocket();
        deadline.set(IDLE);
    }

    private void closeSocket() {
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException ignored) {
                // Nothing was left to lose on it.
            }
        }
    }

    /** Closes the connection, if it is open, and leaves the deadlines. */
    @Override
    public void close() {
        deadlines.remove(this);
        http.close(CloseMode.GRACEFUL);
        closeSocket();
    }
}
