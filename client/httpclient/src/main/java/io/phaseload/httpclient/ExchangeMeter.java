package io.phaseload.httpclient;

import io.phaseload.http.Deadline;
import io.phaseload.http.UserSender;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Target;
import io.phaseload.timing.InstanceState;
import java.time.Duration;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.core5.concurrent.Cancellable;

/**
 * The stages of one user's request in HttpClient's hooks, and the time limits of each stage. Until a request is sent
 * for the first time, waiting and connecting have their own limits; from then on there is one for all that may come, up
 * to the end of the response. Owned by the user's thread.
 */
final class ExchangeMeter {

    private static final ThreadLocal<ExchangeMeter> CURRENT = new ThreadLocal<>();

    private static final long NONE = -1;

    private enum MeterStage {
        LEASE,
        CONNECT,
        EXCHANGE
    }

    private final long leaseLimitNanos;
    private final long connectLimitNanos;
    private final long responseLimitNanos;
    private final UserSender.Turn turn;
    private final HttpClientConnectionManager pool;
    private final Deadline deadline = new Deadline(this::cancel);

    private volatile Cancellable request;

    // Of the exchange in progress.
    private MeterStage stage;
    private boolean armed;
    private Deadline.WaitEnd ended;
    private long startNanos;
    private long leaseNanos;
    private long connectNanos;
    private long lookUpNanos;
    private long socketNanos;
    private long tlsNanos;
    private long lastNanos;
    private Exchange.SetUp setUp;
    private int attempts;
    private long sentNanos;
    private long firstByteNanos;
    private long bytes;
    private long attemptBytes;
    private boolean headRead;
    private boolean foundClosed;

    ExchangeMeter(Target target, Duration leaseLimit, UserSender.Turn turn, HttpClientConnectionManager pool) {
        this.leaseLimitNanos = leaseLimit.toNanos();
        this.connectLimitNanos = target.connectTimeout().toNanos();
        this.responseLimitNanos = target.responseTimeout().toNanos();
        this.turn = turn;
        this.pool = pool;
    }

    /** Of the thread that asks, in whose request HttpClient is. */
    static ExchangeMeter current() {
        return CURRENT.get();
    }

    Deadline deadline() {
        return deadline;
    }

    /** From which the user leases connections. */
    HttpClientConnectionManager pool() {
        return pool;
    }

    void begin(Cancellable cancellable) {
        CURRENT.set(this);
        request = cancellable;
        stage = MeterStage.LEASE;
        armed = false;
        ended = Deadline.WaitEnd.IN_TIME;
        startNanos = System.nanoTime();
        leaseNanos = NONE;
        setUp = null;
        attempts = 0;
        firstByteNanos = NONE;
        bytes = 0;
        attemptBytes = 0;
        headRead = false;
        foundClosed = false;
    }

    /** In the thread of deadlines, which gives the connection back for the user. */
    private void cancel() {
        CURRENT.set(this);
        try {
            request.cancel();
        } finally {
            CURRENT.remove();
        }
    }

    void leaseBegins() {
        if (attempts == 0) {
            stage = MeterStage.LEASE;
            startNanos = System.nanoTime();
            arm(startNanos, leaseLimitNanos);
        }
    }

    void leaseEnds() {
        if (attempts == 0) {
            long now = System.nanoTime();
            leaseNanos = now - startNanos;
            disarm(now);
        }
    }

    /** Waits for the user's turn; returns whether a connection is to be opened at all. */
    boolean awaitTurn() {
        return turn.await();
    }

    /** Again for the same connection, if a proxy closes it after a challenge. */
    void connectBegins() {
        if (stage == MeterStage.CONNECT && armed) {
            return;
        }
        stage = MeterStage.CONNECT;
        connectNanos = System.nanoTime();
        lookUpNanos = NONE;
        socketNanos = NONE;
        tlsNanos = NONE;
        if (attempts == 0) {
            arm(connectNanos, connectLimitNanos);
        }
    }

    /** An address is about to be connected to. */
    void found() {
        lastNanos = System.nanoTime();
        if (lookUpNanos == NONE) {
            lookUpNanos = lastNanos - connectNanos;
        }
    }

    void connected() {
        lastNanos = System.nanoTime();
        socketNanos = lastNanos - connectNanos - lookUpNanos;
    }

    void secured() {
        tlsNanos = System.nanoTime() - lastNanos;
    }

    void connectEnds() {
        long now = System.nanoTime();
        if (setUp == null) {
            setUp = socketNanos == NONE
                    ? new Exchange.SetUp(NONE, now - connectNanos, NONE)
                    : new Exchange.SetUp(lookUpNanos, socketNanos, tlsNanos);
        }
        if (attempts == 0) {
            disarm(now);
        }
    }

    /** The connection that was to be used had been closed by the server. */
    void foundClosed() {
        foundClosed = true;
    }

    void attemptBegins() {
        if (stage == MeterStage.CONNECT) {
            // Else it has ended: a tunnel without TLS in it has no other sign.
            connectEnds();
        }
        stage = MeterStage.EXCHANGE;
        attemptBytes = 0;
        headRead = false;
        if (attempts++ == 0) {
            sentNanos = System.nanoTime();
            arm(sentNanos, responseLimitNanos);
        }
    }

    void read(int count) {
        if (attempts > 0) {
            noteFirstByte();
            bytes += count;
            attemptBytes += count;
        }
    }

    void headRead() {
        noteFirstByte();
        headRead = true;
    }

    private void noteFirstByte() {
        if (firstByteNanos == NONE) {
            firstByteNanos = System.nanoTime() - sentNanos;
        }
    }

    /** Bytes of a body, for connections that don't report what they read. */
    void bodyRead(long count) {
        if (bytes == 0) {
            bytes = count;
        }
    }

    private void arm(long start, long limit) {
        armed = true;
        deadline.arm(start, limit);
    }

    private void disarm(long now) {
        if (armed) {
            armed = false;
            Deadline.WaitEnd end = deadline.disarm(now);
            ended = ended == Deadline.WaitEnd.IN_TIME ? end : ended;
        }
    }

    /** The time at which its request was sent, as {@link System#nanoTime()}. */
    long sentNanos() {
        return sentNanos;
    }

    /** Whether it was sent, though maybe not read. */
    boolean sent() {
        return attempts > 0;
    }

    /** Its result, with the end of its response and an outcome where nothing ended it before. */
    Exchange whole(long end, Outcome outcome, int status, InstanceState instance) {
        disarm(end);
        return exchange(end, overruled(outcome), status, instance);
    }

    Exchange failed(Exception failure) {
        long now = System.nanoTime();
        disarm(now);
        Outcome outcome =
                switch (stage) {
                    case LEASE -> HttpFailures.ofLease(failure);
                    case CONNECT -> HttpFailures.ofConnect(failure);
                    case EXCHANGE -> HttpFailures.ofExchange(failure, resetStage());
                };
        return exchange(now, overruled(outcome), 0, null);
    }

    private Outcome overruled(Outcome outcome) {
        if (ended == Deadline.WaitEnd.ABANDONED) {
            return Outcome.ClientFault.stopped();
        }
        if (ended != Deadline.WaitEnd.EXPIRED) {
            return outcome;
        }
        return switch (limited()) {
            case LEASE -> new LeaseTimeout();
            case CONNECT -> Outcome.NoResponse.CONNECT_TIMEOUT;
            case EXCHANGE -> Outcome.NoResponse.READ_TIMEOUT;
        };
    }

    /** The stage whose limit held. */
    private MeterStage limited() {
        return attempts > 0 ? MeterStage.EXCHANGE : stage;
    }

    private Outcome.Reset.Stage resetStage() {
        return Outcome.Reset.Stage.of(attemptBytes > 0 || headRead, headRead);
    }

    private Exchange exchange(long now, Outcome outcome, int status, InstanceState instance) {
        long end = now;
        long sent = sentNanos;
        long lease = leaseNanos;
        switch (limited()) {
            case LEASE -> {
                end = outcome.censored() ? startNanos + leaseLimitNanos : now;
                lease = end - startNanos;
                sent = end;
            }
            case CONNECT -> {
                end = outcome.censored() ? connectNanos + connectLimitNanos : now;
                sent = connectNanos;
            }
            case EXCHANGE -> end = outcome.censored() ? sentNanos + responseLimitNanos : now;
        }
        return new Exchange(
                sent,
                firstByteNanos,
                end,
                outcome,
                status,
                bytes,
                attempts > 0 ? setUp : null,
                foundClosed,
                Math.max(0, attempts - 1),
                instance,
                lease);
    }
}
