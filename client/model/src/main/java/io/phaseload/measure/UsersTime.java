package io.phaseload.measure;

import java.time.Duration;

/**
 * How the users of a closed phase spent their time: Little's law as an audit. With <i>N</i> users and a phase of
 * <i>T</i>,
 *
 * <pre>N·T = Σ (response + connecting + pauses + not yet begun + done + first request + missing)
 * </pre>
 *
 * <p>in which all but the last are measured, so that it is exact, without a sampling error.
 *
 * @param users N, without those whose ramp would have begun after the phase's end
 * @param tookPart the number of them that sent a request
 * @param total N·T, with the time of all users
 * @param responding from a request's intended start to its end
 * @param connecting making connections after the first one
 * @param pausing thinking and pacing
 * @param ramping before a user's start, in a ramp or waiting for its turn to connect
 * @param done after a user's last request, when it had no more to send
 * @param firstConnecting making the connection for a user's first request
 * @param unscheduled from a user's start until it did anything: it waited for a CPU
 */
public record UsersTime(
        int users,
        int tookPart,
        Duration total,
        Duration responding,
        Duration connecting,
        Duration pausing,
        Duration ramping,
        Duration done,
        Duration firstConnecting,
        Duration unscheduled) {

    /**
     * The rest: time between two requests, where a client needs only microseconds.
     *
     * @return zero or more
     */
    public Duration missing() {
        Duration missing = total.minus(responding)
                .minus(connecting)
                .minus(pausing)
                .minus(ramping)
                .minus(done)
                .minus(firstConnecting)
                .minus(unscheduled);
        return missing.isNegative() ? Duration.ZERO : missing;
    }

    /**
     * The share of one of the times in the time in which users were to send.
     *
     * @param part one of the times
     * @return 0 to 1; 0 if users had no such time
     */
    public double share(Duration part) {
        long own = total.minus(ramping).minus(done).toNanos();
        return own <= 0 ? 0 : (double) part.toNanos() / own;
    }

    /**
     * The share of that time that responses, connections and pauses account for.
     *
     * @return 0 to about 1
     */
    public double accounted() {
        return share(responding.plus(connecting).plus(pausing));
    }

    /**
     * Adds other users.
     *
     * @param other their times
     * @return the sums
     */
    public UsersTime plus(UsersTime other) {
        return new UsersTime(
                users + other.users,
                tookPart + other.tookPart,
                total.plus(other.total),
                responding.plus(other.responding),
                connecting.plus(other.connecting),
                pausing.plus(other.pausing),
                ramping.plus(other.ramping),
                done.plus(other.done),
                firstConnecting.plus(other.firstConnecting),
                unscheduled.plus(other.unscheduled));
    }
}
