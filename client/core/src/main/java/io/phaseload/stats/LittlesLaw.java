package io.phaseload.stats;

/**
 * An audit of a closed step by Little's law: users are either waiting for a response or thinking,
 *
 * <pre>N = X·(R + Z)</pre>
 *
 * <p>with <i>N</i> users, <i>X</i> requests per second of all of them, <i>R</i> seconds of mean
 * response time and <i>Z</i> seconds of mean pause per request (Little: A Proof for the Queuing
 * Formula L = λW, Operations Research 9, 1961). Over a window of <i>T</i> seconds, <i>X·T·(R +
 * Z)</i> is the time that the requests and pauses took, <i>N·T</i> the time that the users had. So
 * this is exact, without a sampling error, but for requests that the window cuts at its ends and
 * for users that had nothing to do there.
 *
 * @param users N
 * @param requestsPerSecond X
 * @param secondsPerRequest R + Z
 */
public record LittlesLaw(double users, double requestsPerSecond, double secondsPerRequest) {

    /**
     * The part of the users' time that may be missing, or be there twice. At a window's ends each
     * user may lose one request's time, which is 1 % of a window of a hundred; what a client spends
     * between two requests is microseconds. More than 5 % is the client's own time, or figures that
     * don't belong together.
     */
    public static final double TOLERANCE = 0.05;

    /** What the audit says. */
    public enum Audit {
        /** The users' time is accounted for, within the tolerance. */
        ACCOUNTED,
        /**
         * Users did something that isn't in the response times: the client was busy, connected, or
         * some of them were done before others.
         */
        TIME_MISSING,
        /** More time than the users had: the figures aren't of the same requests or window. */
        TIME_TOO_MUCH
    }

    /**
     * The part of the users' time that requests and pauses account for.
     *
     * @return X·(R + Z) / N, about 1
     */
    public double ratio() {
        return requestsPerSecond * secondsPerRequest / users;
    }

    /**
     * What that means.
     *
     * @return by {@link #TOLERANCE}
     */
    public Audit audit() {
        if (ratio() < 1 - TOLERANCE) {
            return Audit.TIME_MISSING;
        }
        return ratio() > 1 + TOLERANCE ? Audit.TIME_TOO_MUCH : Audit.ACCOUNTED;
    }
}
