package io.phaseload.stats;

/**
 * An audit of a closed step by Little's law: users are either waiting for a response or thinking,
 *
 * <pre>N = X·(R + Z)</pre>
 *
 * <p>with <i>N</i> users, <i>X</i> requests per second of all of them, <i>R</i> seconds of mean response time and
 * <i>Z</i> seconds of mean pause per request (Little: A Proof for the Queuing Formula L = λW, Operations Research 9,
 * 1961). Over a window of <i>T</i> seconds, <i>X·T·(R + Z)</i> is the time that requests and pauses took, and
 * <i>N·T</i> the time that the users had. So it is exact, without a sampling error, except for requests that the window
 * cuts at its ends and for users that were idle there.
 *
 * @param users N
 * @param requestsPerSecond X
 * @param secondsPerRequest R + Z
 */
public record LittlesLaw(double users, double requestsPerSecond, double secondsPerRequest) {

    /**
     * The share of the users' time that may be missing, or counted twice. At a window's ends each user may lose one
     * request's time, which is 1 % of a window of a hundred requests; between two requests a client needs only
     * microseconds. More than 5 % is the client's own time, or comes from figures that don't belong together.
     */
    public static final double TOLERANCE = 0.05;

    /** The outcome of the audit. */
    public enum Audit {
        /** The users' time is accounted for, within the tolerance. */
        ACCOUNTED,
        /**
         * Users did something that isn't in the response times: the client was busy or connecting, or some users
         * finished before others.
         */
        TIME_MISSING,
        /** More time than the users had: the figures are about different requests or windows. */
        TIME_TOO_MUCH
    }

    /**
     * The share of the users' time that requests and pauses account for.
     *
     * @return X·(R + Z) / N, about 1
     */
    public double ratio() {
        return requestsPerSecond * secondsPerRequest / users;
    }

    /**
     * The outcome.
     *
     * @return the outcome, by {@link #TOLERANCE}
     */
    public Audit audit() {
        if (ratio() < 1 - TOLERANCE) {
            return Audit.TIME_MISSING;
        }
        return ratio() > 1 + TOLERANCE ? Audit.TIME_TOO_MUCH : Audit.ACCOUNTED;
    }
}
