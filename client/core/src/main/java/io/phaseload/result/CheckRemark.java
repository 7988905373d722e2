package io.phaseload.result;

/**
 * A check that said nothing about the responses of a run: it always failed, or could never fail.
 *
 * @param operation the operation's name
 * @param check the check, or its name
 * @param finding the reason
 * @param requests the responses that the check was about, at least 2
 * @param detail the value of the first response for which it didn't hold; may be empty
 */
public record CheckRemark(String operation, String check, Reason finding, long requests, String detail) {

    /** The reason. */
    public enum Reason {
        /** The check never held. */
        NEVER_HELD,
        /** The check is negated, and held only because there never was a value or a body to check. */
        NOTHING_TO_CHECK
    }
}
