package io.phaseload.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When a connect attempt or a response must have ended. Its user arms it before and disarms it after; {@link Deadlines}
 * ends what takes too long, by closing its socket. Only one of them acts on a deadline, so that no later socket is
 * closed.
 *
 * <p>The user's thread calls all but {@link #expire}, which the thread of {@link Deadlines} calls.
 */
public final class Deadline {

    /** How the wait ended. */
    public enum WaitEnd {
        /** Before its time was up. */
        IN_TIME,
        /** It took too long. */
        EXPIRED,
        /** The run was stopped before. */
        ABANDONED
    }

    /** States, which are even; deadlines are odd. */
    private static final long IDLE = 0;

    private static final long EXPIRED = 2;
    private static final long ABANDONED = 4;
    private static final long CLOSING = 6;

    private final AtomicLong state = new AtomicLong(IDLE);
    private final Runnable closeSocket;
    private long limit;

    /**
     * A deadline that isn't armed.
     *
     * @param closeSocket ends what it is armed for, whatever that waits for; called by the thread of {@link Deadlines}
     */
    public Deadline(Runnable closeSocket) {
        this.closeSocket = closeSocket;
    }

    /**
     * An action that begins now must end in time.
     *
     * @param start as {@link System#nanoTime()}
     * @param nanos the time that it may take from then on
     */
    public void arm(long start, long nanos) {
        limit = (start + nanos) | 1;
        state.setRelease(limit);
    }

    /**
     * Moves its end, unless it has been acted on.
     *
     * @param end as {@link System#nanoTime()}
     */
    public void moveTo(long end) {
        if (state.compareAndSet(limit, end | 1)) {
            limit = end | 1;
        }
    }

    /**
     * Whether it is armed and its time isn't up.
     *
     * @return {@code false}, too, if what it is armed for was ended
     */
    public boolean isArmed() {
        return (state.get() & 1) != 0;
    }

    /**
     * Disarms it, since what it was armed for has ended.
     *
     * @param end the time, as {@link System#nanoTime()}
     * @return the value: by itself or by this deadline
     */
    public WaitEnd disarm(long end) {
        long was = state.compareAndExchange(limit, IDLE);
        while (was == CLOSING) {
            // Otherwise it could close the next socket.
            Thread.yield();
            was = state.get();
        }
        if (was == limit) {
            return end - limit >= 0 ? WaitEnd.EXPIRED : WaitEnd.IN_TIME;
        }
        return was == EXPIRED ? WaitEnd.EXPIRED : WaitEnd.ABANDONED;
    }

    /**
     * Closes the socket if the time is up.
     *
     * @param abandon true to close the socket in any case
     * @return nanoseconds until the deadline, or {@link Long#MAX_VALUE} if there is none
     */
    long expire(long now, boolean abandon) {
        long armed = state.get();
        if ((armed & 1) == 0) {
            return Long.MAX_VALUE;
        }
        if (!abandon && now - armed < 0) {
            return armed - now;
        }
        // Only whoever swaps it may act on it: the user may have just finished.
        if (state.compareAndSet(armed, CLOSING)) {
            closeSocket.run();
            state.set(now - armed >= 0 ? EXPIRED : ABANDONED);
        }
        return Long.MAX_VALUE;
    }
}
