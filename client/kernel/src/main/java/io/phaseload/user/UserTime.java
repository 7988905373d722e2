package io.phaseload.user;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.UsersTime;
import java.time.Duration;

/** How one closed user spends its time, added up with a few additions per request. Owned by the user's thread. */
public final class UserTime {

    private final boolean paced;
    private long beginNanos;
    private long freeNanos;
    private boolean begun;
    private boolean notDue;
    private boolean tookPart;
    private long responding;
    private long connecting;
    private long pausing;
    private long ramping;
    private long firstConnecting;
    private long unscheduled;

    /** For a new user; {@code paced} if the client isn't to blame for waits to connect. */
    UserTime(boolean paced) {
        this.paced = paced;
    }

    /** The user starts at a given time. */
    void begin(long nanos) {
        beginNanos = nanos;
        freeNanos = nanos;
    }

    /** Its ramp would bring it to its start only after the phase's end. */
    void notDue() {
        notDue = true;
    }

    /** It pauses until a given time, before its first request or after one. */
    void pause(long until) {
        if (until - freeNanos > 0) {
            pausing += until - freeNanos;
            freeNanos = until;
        }
    }

    /** It has stopped sending, and doesn't wait for the rest of its pause. */
    void end(long nanos) {
        long left = Math.min(pausing, Math.max(0, freeNanos - nanos));
        pausing -= left;
        freeNanos -= left;
    }

    /** A request has ended; its response time began when it was due. */
    void add(long dueNanos, Exchange exchange) {
        long gap = dueNanos - freeNanos;
        long setUp = exchange.setUpNanos();
        if (!begun) {
            begun = true;
            firstConnecting = Math.min(setUp, gap);
            await(gap - firstConnecting);
        } else if (setUp > 0) {
            connecting += gap;
        }
        tookPart |= setUp > 0 || exchange.bytesReceived() > 0;
        responding += exchange.endNanos() - dueNanos;
        freeNanos = exchange.endNanos();
    }

    private void await(long nanos) {
        if (paced) {
            ramping += nanos;
        } else {
            unscheduled += nanos;
        }
    }

    /**
     * How it spent its time in a phase that is over.
     *
     * @param startNanos the phase's start
     * @param endNanos the phase's end
     * @return the audit of one user
     */
    public UsersTime over(long startNanos, long endNanos) {
        boolean late = notDue || beginNanos - endNanos > 0;
        if (!begun && !late) {
            begun = true;
            await(endNanos - freeNanos);
            freeNanos = endNanos;
        }
        return new UsersTime(
                late ? 0 : 1,
                tookPart ? 1 : 0,
                Duration.ofNanos(endNanos - startNanos),
                Duration.ofNanos(responding),
                Duration.ofNanos(connecting),
                Duration.ofNanos(pausing),
                Duration.ofNanos(ramping + (late ? endNanos : beginNanos) - startNanos),
                Duration.ofNanos(late ? 0 : Math.max(0, endNanos - freeNanos)),
                Duration.ofNanos(firstConnecting),
                Duration.ofNanos(unscheduled));
    }
}
