package io.phaseload.measure;

import io.phaseload.plan.check.Check;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * Why a request failed. Requests are counted by their cause's {@link #key}, which is also in files and reports; rules
 * ask for its properties. Causes with the same key are equal and have the same properties, so that a stored run is
 * judged like a new one.
 */
public final class Cause implements Comparable<Cause> {

    private enum Sort {
        STATUS,
        CHECK,
        RESET,
        NO_CONNECTION,
        CLIENT_LIMIT,
        OTHER
    }

    private static final String HTTP = "http ";
    private static final String CLIENT = "client: ";

    /** Causes that have few keys, by these: failed requests share them. */
    private static final Map<String, Cause> KNOWN = new HashMap<>();

    /** Nothing failed. */
    public static final Cause SUCCESS = known("success", Sort.OTHER);

    /** See {@link Outcome.NoResponse#CONNECT_TIMEOUT}. */
    public static final Cause CONNECT_TIMEOUT = known("connect timeout", Sort.NO_CONNECTION);

    /** See {@link Outcome.NoResponse#CONNECT_REFUSED}. */
    public static final Cause CONNECT_REFUSED = known("connect refused", Sort.NO_CONNECTION);

    /** See {@link Outcome.TlsFailure}. */
    public static final Cause TLS_FAILURE = known("tls failure", Sort.NO_CONNECTION);

    /** No connection became free within the lease timeout. */
    public static final Cause LEASE_TIMEOUT = known("lease timeout", Sort.OTHER);

    /** See {@link Outcome.NoResponse#READ_TIMEOUT}. */
    public static final Cause READ_TIMEOUT = known("read timeout", Sort.OTHER);

    /** See {@link Outcome.Reset.Stage#BEFORE_RESPONSE}. */
    public static final Cause RESET_BEFORE_RESPONSE = known("reset before response", Sort.RESET);

    /** See {@link Outcome.Reset.Stage#IN_HEADER}. */
    public static final Cause RESET_IN_HEADER = known("reset in header", Sort.RESET);

    /** See {@link Outcome.Reset.Stage#IN_BODY}. */
    public static final Cause RESET_IN_BODY = known("reset in body", Sort.RESET);

    /** See {@link Outcome.NoResponse#UNKNOWN_IF_READ}. */
    public static final Cause UNKNOWN_IF_READ = known("connection ended, unknown if read", Sort.OTHER);

    /** See {@link Outcome.NoResponse#NO_CLOSE_NOTIFY}. */
    public static final Cause NO_CLOSE_NOTIFY = known("body ended without close_notify", Sort.OTHER);

    /** See {@link Outcome.MalformedResponse}. */
    public static final Cause MALFORMED_RESPONSE = known("malformed response", Sort.OTHER);

    /** The server doesn't speak the requested version of HTTP. */
    public static final Cause NO_HTTP2 = known("no http/2", Sort.OTHER);

    /** The server answered at most the first request of those that were sent one behind another. */
    public static final Cause NO_PIPELINING = known("no pipelining", Sort.OTHER);

    /** A message that was sent, and that a receiver with an open connection didn't get. */
    public static final Cause NOT_RECEIVED = known("lost: not received in time", Sort.OTHER);

    /** More redirects, one after another, than are followed. */
    public static final Cause TOO_MANY_REDIRECTS = known("too many redirects", Sort.OTHER);

    /** A redirect that leads to another server than the target. */
    public static final Cause REDIRECT_AWAY = known("redirect to another server", Sort.OTHER);

    /** The target's name can't be resolved. */
    public static final Cause UNKNOWN_HOST = known(CLIENT + "unknown host", Sort.NO_CONNECTION);

    /** No network leads to the target. */
    public static final Cause NO_ROUTE = known(CLIENT + "no route to host", Sort.NO_CONNECTION);

    /** The client's machine has no file descriptor left for a connection. */
    public static final Cause NO_DESCRIPTOR = known(CLIENT + "too many open files", Sort.CLIENT_LIMIT);

    /** The client's machine has no local port left for a connection. */
    public static final Cause NO_PORT = known(CLIENT + "no free local port", Sort.CLIENT_LIMIT);

    /** The run was stopped while the request was in flight: no limit of the machine. */
    public static final Cause STOPPED = known(CLIENT + "stopped in flight", Sort.OTHER);

    private static final int FIRST_STATUS = 100;

    /** By status, so that a failed request needs no text to find its cause. */
    private static final Cause[] STATUSES = new Cause[1_000 - FIRST_STATUS];

    static {
        for (int i = 0; i < STATUSES.length; i++) {
            int status = FIRST_STATUS + i;
            STATUSES[i] = new Cause(HTTP + status, Sort.STATUS, status);
            KNOWN.put(STATUSES[i].key, STATUSES[i]);
        }
    }

    private final String key;
    private final Sort sort;
    private final int status;

    private Cause(String key, Sort sort, int status) {
        this.key = key;
        this.sort = sort;
        this.status = status;
    }

    private static Cause known(String key, Sort sort) {
        Cause cause = new Cause(key, sort, 0);
        KNOWN.put(key, cause);
        return cause;
    }

    /**
     * The cause with a key: the only place in which a key is read.
     *
     * @param key from a file, or the text of a check, a step or a protocol
     * @return the cause, equal to the one that had this key first
     */
    public static Cause of(String key) {
        Cause known = KNOWN.get(key);
        if (known != null) {
            return known;
        }
        Sort sort = key.startsWith(Check.CAUSE) ? Sort.CHECK : key.startsWith(CLIENT) ? Sort.CLIENT_LIMIT : Sort.OTHER;
        return new Cause(key, sort, 0);
    }

    /**
     * The cause of a response whose status says failure.
     *
     * @param status 100 to 999
     * @return the cause, whose {@link #status()} it is
     */
    public static Cause ofStatus(int status) {
        int at = status - FIRST_STATUS;
        return at >= 0 && at < STATUSES.length ? STATUSES[at] : of(HTTP + status);
    }

    /** A cause that lies with the client's own machine. */
    static Cause ofClient(String reason) {
        return of(CLIENT + reason);
    }

    /**
     * The name under which files and reports count such failures. There are few, so that counts stay small.
     *
     * @return lower-case text such as {@code read timeout} or {@code http 503}
     */
    public String key() {
        return key;
    }

    /**
     * The status that says failure.
     *
     * @return empty for any other cause
     */
    public OptionalInt status() {
        return sort == Sort.STATUS ? OptionalInt.of(status) : OptionalInt.empty();
    }

    /**
     * Whether it is one of several statuses.
     *
     * @param such the statuses
     * @return {@code false} for any other cause
     */
    public boolean isStatus(IntPredicate such) {
        return sort == Sort.STATUS && such.test(status);
    }

    /**
     * Whether a check without a name of its own didn't hold.
     *
     * @return {@code false} for any other cause, including a check with a name
     */
    public boolean isCheck() {
        return sort == Sort.CHECK;
    }

    /**
     * Whether a check with a name, a step or a protocol gave it its text.
     *
     * @return {@code false} for a cause that this class has a name for, and for other checks
     */
    public boolean isNamed() {
        return sort == Sort.OTHER && !KNOWN.containsKey(key);
    }

    /**
     * Whether the connection was reset, or closed before the response was complete.
     *
     * @return {@code true} for each {@link Outcome.Reset.Stage}
     */
    public boolean isReset() {
        return sort == Sort.RESET;
    }

    /**
     * Whether the target couldn't be reached at all.
     *
     * @return {@code true} if no connection could be made, unless the client's own machine was the reason
     */
    public boolean isUnreachable() {
        return sort == Sort.NO_CONNECTION;
    }

    /**
     * Whether it is a limit of the client's own machine.
     *
     * @return {@code false} for anything else, including a stop and a name without an address
     */
    public boolean isClientLimit() {
        return sort == Sort.CLIENT_LIMIT;
    }

    /** Whether the client's machine had no descriptor or port left, so that the request wasn't sent. */
    boolean isUnsent() {
        return this == NO_DESCRIPTOR || this == NO_PORT;
    }

    @Override
    public int compareTo(Cause other) {
        return key.compareTo(other.key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cause cause && key.equals(cause.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** {@return its key} */
    @Override
    public String toString() {
        return key;
    }
}
