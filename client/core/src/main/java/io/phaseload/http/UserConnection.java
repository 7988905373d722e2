package io.phaseload.http;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;

/**
 * One user's connection. It is opened by the first request and kept as long as the server keeps it.
 *
 * <p>Owned by one thread at a time; only {@link Deadlines} touches it from outside, through its
 * {@link Deadline}.
 */
public final class UserConnection implements Sender {

    private final Connector connector;
    private final Deadlines deadlines;
    private final Turn turn;
    private final long connectLimitNanos;
    private final long responseLimitNanos;
    private final Deadline deadline = new Deadline(this::closeSocket);
    private final ResponseParser response = new ResponseParser();

    private volatile Socket socket;
    // Null where there is no connection.
    private SocketStream stream;
    private SetUp lastSetUp;
    private long lastEndNanos;
    private boolean keepBody;

    // Of the exchange in progress: what its connection was, whether the system has taken the
    // request, and what became of an attempt over a connection that had ended: the server hasn't
    // read the request for certain, or it may have.
    private boolean kept;
    private boolean idle;
    private boolean written;
    private boolean reconnected;
    private boolean unread;
    private boolean resent;

    /**
     * Creates a connection that isn't opened yet.
     *
     * @param connector makes its sockets
     * @param deadlines watches it until it is closed
     */
    public UserConnection(Connector connector, Deadlines deadlines) {
        this(connector, deadlines, Turn.AT_ONCE);
    }

    /**
     * Creates a connection that isn't opened yet.
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
        deadlines.add(deadline);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A kept connection that was idle is looked at first. If the server has closed it, or has
     * sent unsolicited data, the request goes over a new one. If the connection ends after the
     * request was sent, and nothing of a response came, the request goes once over a new one where
     * it is certain that the server hasn't read it; or where it may have, if the connection had
     * been idle and the request is idempotent.
     */
    @Override
    public SendResult exchange(PreparedRequest request) {
        reconnected = false;
        resent = false;
        if (stream == null) {
            return openAndSend(request);
        }
        long now = System.nanoTime();
        kept = true;
        idle = IdleConnection.wasIdle(lastEndNanos, now);
        if ((idle || stream.hasRest()) && !stream.isQuiet()) {
            return reopenAndSend(request);
        }
        unread = false;
        Exchange exchange = send(request, null, idle ? System.nanoTime() : now);
        if (unread) {
            return reopenAndSend(request);
        }
        if (!resent) {
            return exchange;
        }
        SendResult second = reopenAndSend(request);
        return second instanceof Exchange ? second : exchange;
    }

    /**
     * Does as {@link #exchange} and keeps the body of the response, for {@link #lastBody()}.
     *
     * @param request what to send
     * @return as {@link #exchange}
     */
    public SendResult exchangeKeepingBody(PreparedRequest request) {
        keepBody = true;
        try {
            return exchange(request);
        } finally {
            keepBody = false;
        }
    }

    /**
     * The body of the last response.
     *
     * @return its first MiB as UTF-8; empty if nothing asked for it to be kept
     */
    public String lastBody() {
        return response.body() == null ? "" : response.body().toString(StandardCharsets.UTF_8);
    }

    Deadline deadline() {
        return deadline;
    }

    private SendResult reopenAndSend(PreparedRequest request) {
        drop(true);
        reconnected = true;
        return openAndSend(request);
    }

    private SendResult openAndSend(PreparedRequest request) {
        return turn.await() ? openAndSendNow(request) : SendResult.NOT_SENT;
    }

    private Exchange openAndSendNow(PreparedRequest request) {
        long start = System.nanoTime();
        deadline.arm(start, connectLimitNanos);
        SetUp setUp = null;
        Exception failure = null;
        try {
            setUp = open(start);
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
        long end = System.nanoTime();
        Deadline.End ended = deadline.disarm(end);
        if (failure == null && ended == Deadline.End.IN_TIME) {
            lastSetUp = setUp;
            kept = false;
            idle = false;
            return send(request, setUp, System.nanoTime());
        }
        drop(true);
        Outcome outcome;
        if (ended == Deadline.End.ABANDONED) {
            outcome = Outcome.ClientFault.stopped();
        } else if (ended == Deadline.End.EXPIRED) {
            outcome = new Outcome.ConnectTimeout();
        } else {
            outcome = Failures.ofConnect(failure);
        }
        if (outcome.censored()) {
            end = start + connectLimitNanos;
        }
        return Exchange.notConnected(start, end, outcome, reconnected);
    }

    private SetUp open(long start) throws IOException {
        InetAddress[] addresses = connector.lookUp();
        long found = System.nanoTime();
        Socket socket = connector.connect(addresses, start + connectLimitNanos, this::watch);
        long connected = System.nanoTime();
        TcpInput input = new TcpInput(socket);
        SSLSocket secured = connector.secure(socket, input);
        long tls = secured == null ? -1 : System.nanoTime() - connected;
        stream = new SocketStream(socket, input, secured);
        return new SetUp(found - start, connected - found, tls);
    }

    /** Leaves a socket to the deadline, unless that was called without effect before. */
    private void watch(Socket fresh) throws SocketException {
        socket = fresh;
        if (!deadline.isArmed()) {
            throw new SocketException("expired while connecting");
        }
    }

    /**
     * What this attempt comes to; it is to be sent again if {@link #unread} or {@link #resent} is
     * set.
     */
    private Exchange send(PreparedRequest request, SetUp setUp, long start) {
        stream.begin();
        response.begin(request.head(), keepBody || request.bodyKept());
        written = false;
        Outcome outcome = null;
        Exception failure = null;
        deadline.arm(start, responseLimitNanos);
        try {
            write(request);
            stream.receive(response);
            outcome = request.judge(response.status(), response.body());
        } catch (IOException | MalformedException | RuntimeException e) {
            failure = e;
        }
        long end = System.nanoTime();
        long bytes = stream.received();
        long firstByte = bytes > 0 ? stream.firstByteNanos() - start : Exchange.NO_BYTE;
        Deadline.End ended = deadline.disarm(end);
        if (ended == Deadline.End.EXPIRED) {
            outcome = new Outcome.ReadTimeout();
            end = start + responseLimitNanos;
        } else if (ended == Deadline.End.ABANDONED) {
            outcome = Outcome.ClientFault.stopped();
        } else if (failure != null) {
            outcome = Failures.ofExchange(failure, stage(bytes));
            if (kept && bytes == 0 && outcome instanceof Outcome.Reset) {
                unread = isUnread(request, failure);
                outcome = idle && !unread ? closedWhileIdle(request) : outcome;
            }
        } else if (idle && IdleConnection.isIdleTimeout(response)) {
            outcome = closedWhileIdle(request);
        }
        if (failure != null || ended != Deadline.End.IN_TIME || !written) {
            // A reset, so that no port is left waiting for what a broken peer may still send.
            drop(true);
        } else if (!request.keepsConnection() || !response.keepsConnection()) {
            drop(false);
        }
        lastEndNanos = end;
        return new Exchange(
                start,
                firstByte,
                end,
                outcome,
                response.status(),
                bytes,
                setUp,
                reconnected,
                resent && !kept,
                response.instance());
    }

    private void write(PreparedRequest request) throws IOException, MalformedException {
        if (request.isAtomic()) {
            stream.send(request.wire());
            written = true;
        } else {
            written = stream.sendLarge(request.wire(), response);
        }
    }

    /** What it came to, unless it is sent again. */
    private Outcome closedWhileIdle(PreparedRequest request) {
        resent = request.idempotent();
        return new Outcome.ClosedWhileIdle();
    }

    /**
     * Whether it is certain that the server hasn't read the request, in two cases: the system
     * wouldn't take it; or the stream ended in order (FIN) and the server's system answered the
     * request with a reset (RST), which the next write then meets. A reset alone proves nothing:
     * the server may have read the request. Nor does one over TLS: our own close_notify may have
     * caused it.
     */
    private boolean isUnread(PreparedRequest request, Exception failure) {
        if (!written) {
            return request.isAtomic();
        }
        if (stream.secured() || !(failure instanceof EndOfStreamException)) {
            return false;
        }
        LockSupport.parkNanos(IdleConnection.resetWaitNanos(lastSetUp.nanos()));
        try {
            socket.getOutputStream().write(0);
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private Outcome.Reset.Stage stage(long bytes) {
        if (response.headRead()) {
            return Outcome.Reset.Stage.IN_BODY;
        }
        return bytes > 0 ? Outcome.Reset.Stage.IN_HEADER : Outcome.Reset.Stage.BEFORE_RESPONSE;
    }

    private void drop(boolean reset) {
        if (reset) {
            resetOnClose();
        } else if (stream != null) {
            stream.end();
        }
        stream = null;
        closeSocket();
    }

    private void resetOnClose() {
        Socket open = socket;
        if (open != null) {
            try {
                open.setSoLinger(true, 0);
            } catch (SocketException ignored) {
                // It is closed already.
            }
        }
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
        deadlines.remove(deadline);
        drop(false);
    }
}
