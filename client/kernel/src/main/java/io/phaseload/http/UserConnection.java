package io.phaseload.http;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.response.ContentCoding;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;

/**
 * One user's connection. The first request opens it, and it is kept as long as the server keeps it.
 *
 * <p>Owned by one thread at a time; only {@link Deadlines} reaches in, through its {@link Deadline}.
 */
public final class UserConnection implements UserSender {

    private final Connector connector;
    private final Deadlines deadlines;
    private final Turn turn;
    private final long connectLimitNanos;
    private final long responseLimitNanos;
    private final Deadline deadline = new Deadline(this::closeSocket);
    private final ResponseParser response = new ResponseParser();

    private volatile Socket socket;
    // Null if there is no connection.
    private SocketStream stream;
    private SetUp lastSetUp;
    private long lastEndNanos;
    // When the next request is due; 0 for as soon as it is sent.
    private long dueNanos;
    private boolean keepBody;

    // Of the current exchange: whether its connection was kept, and idle so that it may be sent
    // again; whether the system has taken the request; and, if the connection had ended: whether the
    // request is taken for unread, and whether sending it again is counted, since the server may have read it.
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
     * @param deadlines enforces its deadlines until it is closed
     */
    public UserConnection(Connector connector, Deadlines deadlines) {
        this(connector, deadlines, Turn.AT_ONCE);
    }

    /**
     * Creates a connection that isn't opened yet.
     *
     * @param connector makes its sockets
     * @param deadlines enforces its deadlines until it is closed
     * @param turn the turn to wait for before each attempt to open it; that wait counts towards no figure
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
     * <p>A kept connection is checked first if its user paused, or the request takes several packets. If the server has
     * closed it or sent unsolicited data, the request goes over a new one. If the connection ends after the request was
     * sent and before any byte of a response, the request is sent once more over a new one if TCP says that the server
     * hasn't read it; with {@link io.phaseload.plan.Target#resendIdle()} also if the connection had been idle and the
     * request is idempotent. Without certain proof that counts as {@link Exchange#resent()}.
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
        boolean checked = isToCheck(request, now);
        if (checked && !stream.isQuiet()) {
            return reopenAndSend(request);
        }
        idle = connector.target().resendIdle() && IdleConnection.wasIdle(lastEndNanos, dueNanos == 0 ? now : dueNanos);
        unread = false;
        Exchange exchange = send(request, null, checked ? System.nanoTime() : now);
        if (unread) {
            return reopenAndSend(request);
        }
        if (!resent) {
            return exchange;
        }
        SendResult second = reopenAndSend(request);
        return second instanceof Exchange ? second : exchange;
    }

    @Override
    public void due(long nanos) {
        dueNanos = nanos;
    }

    /** A check costs as much as a small request: a busy connection has it where it must. */
    private boolean isToCheck(PreparedRequest request, long now) {
        try {
            return IdleConnection.mayHaveEnded(lastEndNanos, now) || !isOnePacket(request) || stream.hasRest();
        } catch (IOException broken) {
            return true;
        }
    }

    private static boolean isOnePacket(PreparedRequest request) {
        return IdleConnection.isOnePacket(request.wire().length);
    }

    /**
     * Does as {@link #exchange} and keeps the response, for {@link #lastHead()} and {@link #lastBody()}.
     *
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
     * The header of the last response.
     *
     * @return its lines but for the first one, each with a line feed; empty if it wasn't to be kept
     */
    public String lastHead() {
        return new String(response.head(), StandardCharsets.ISO_8859_1);
    }

    /**
     * The body of the last response.
     *
     * @return its first MiB as UTF-8, decoded if it was compressed; empty if it wasn't to be kept
     */
    public String lastBody() {
        if (response.body() == null) {
            return "";
        }
        try {
            return ContentCoding.decoded(response, false).kept().toString(StandardCharsets.UTF_8);
        } catch (MalformedException e) {
            return response.body().toString(StandardCharsets.UTF_8);
        }
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
        Deadline.WaitEnd ended = deadline.disarm(end);
        if (failure == null && ended == Deadline.WaitEnd.IN_TIME) {
            lastSetUp = setUp;
            kept = false;
            idle = false;
            return send(request, setUp, System.nanoTime());
        }
        drop(true);
        Outcome outcome;
        if (ended == Deadline.WaitEnd.ABANDONED) {
            outcome = Outcome.ClientFault.stopped();
        } else if (ended == Deadline.WaitEnd.EXPIRED) {
            outcome = Outcome.NoResponse.CONNECT_TIMEOUT;
        } else {
            outcome = FailureCauses.ofConnect(failure);
        }
        if (outcome.censored()) {
            end = start + connectLimitNanos;
        }
        return Exchange.notConnected(start, end, outcome, reconnected);
    }

    private SetUp open(long start) throws IOException {
        ConnectRoute.Addresses way = connector.way().lookUp();
        long found = System.nanoTime();
        Socket socket = connector.connect(way, start + connectLimitNanos, this::watch);
        long connected = System.nanoTime();
        TcpInput input = new TcpInput(socket);
        SSLSocket secured = connector.secure(socket, input);
        long tls = secured == null ? -1 : System.nanoTime() - connected;
        stream = new SocketStream(socket, input, secured);
        return new SetUp(found - start, connected - found, tls);
    }

    /** Hands a socket to the deadline, unless that has expired meanwhile. */
    private void watch(Socket fresh) throws SocketException {
        socket = fresh;
        if (!deadline.isArmed()) {
            throw new SocketException("expired while connecting");
        }
    }

    /** The result of this attempt; the request is to be sent again if {@link #unread} or {@link #resent} is set. */
    private Exchange send(PreparedRequest request, SetUp setUp, long start) {
        stream.begin();
        request.begin(response, keepBody);
        written = false;
        Outcome outcome = null;
        Exception failure = null;
        long received = start;
        deadline.arm(start, responseLimitNanos);
        EventReader events = request.events();
        if (events != null) {
            events.begin(start, setUp != null, deadline::moveTo);
            deadline.moveTo(events.limitNanos());
        }
        try {
            write(request);
            stream.receive(response);
            received = System.nanoTime();
            outcome = request.judge(response, received - start);
        } catch (IOException | MalformedException | RuntimeException e) {
            failure = e;
        }
        // Judging a response is none of the server's time.
        long end = outcome == null ? System.nanoTime() : received;
        long bytes = stream.received();
        long firstByte = bytes > 0 ? stream.firstByteNanos() - start : Exchange.NO_BYTE;
        Deadline.WaitEnd ended = deadline.disarm(end);
        if (events != null && ended == Deadline.WaitEnd.EXPIRED && response.headRead()) {
            events.expire();
        }
        if (events != null && events.over()) {
            end = events.overNanos();
            outcome = request.judge(response, end - start);
        } else if (ended == Deadline.WaitEnd.EXPIRED) {
            outcome = Outcome.NoResponse.READ_TIMEOUT;
            end = events == null ? start + responseLimitNanos : events.limitNanos();
        } else if (ended == Deadline.WaitEnd.ABANDONED) {
            outcome = Outcome.ClientFault.stopped();
        } else if (failure != null) {
            outcome = FailureCauses.ofExchange(failure, stage(bytes));
            if (kept && bytes == 0 && outcome instanceof Outcome.Reset) {
                outcome = unanswered(request, start, end);
            }
        } else if (idle && IdleConnection.isIdleTimeout(response)) {
            resent = request.idempotent();
        }
        if (failure != null || ended != Deadline.WaitEnd.IN_TIME || !written) {
            // Closes with a reset, so that no port stays in TIME_WAIT for a broken peer.
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
                resent && !kept ? 1 : 0,
                response.instance(),
                Exchange.NO_LEASE);
    }

    private void write(PreparedRequest request) throws IOException, MalformedException {
        if (request.expectsContinue()) {
            stream.send(request.wireHead());
            written = true;
            written = stream.isBodyWanted(response, PreparedRequest.CONTINUE_MILLIS)
                    && stream.sendLarge(request.wireBody(), response);
        } else if (request.isAtomic()) {
            stream.send(request.wire());
            written = true;
        } else {
            written = stream.sendLarge(request.wire(), response);
        }
    }

    /**
     * The outcome of a request whose kept connection ended without any byte of a response.
     *
     * <p>The server certainly hasn't read it if the system refused to send it. It is taken for unread if the server
     * closed the stream (FIN) and a reset (RST) followed, with which its system answers a late request. But a server
     * may read a request, close the stream and then reset the connection itself, so sending again is counted. A reset
     * alone proves nothing: the server may have read the request. Nor does one after a request of several packets: the
     * server may have read the first of them.
     */
    private Outcome unanswered(PreparedRequest request, long start, long end) {
        Outcome outcome = new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE);
        long setUpNanos = lastSetUp.nanos();
        if (!written) {
            unread = request.isAtomic();
        } else if (isOnePacket(request) && connector.way().provesUnread() && stream.plainlyEnded()) {
            unread = stream.wasReset(IdleConnection.resetWaitNanos(setUpNanos));
            resent = unread;
        } else {
            outcome = IdleConnection.unanswered(setUpNanos, start, end);
        }
        resent |= idle && !unread && request.idempotent();
        return outcome;
    }

    private Outcome.Reset.Stage stage(long bytes) {
        return Outcome.Reset.Stage.of(bytes > 0 || response.headRead(), response.headRead());
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
                // Nothing could be lost on it.
            }
        }
    }

    /** Closes the connection, if it is open, and removes its deadline. */
    @Override
    public void close() {
        deadlines.remove(deadline);
        drop(false);
    }
}
