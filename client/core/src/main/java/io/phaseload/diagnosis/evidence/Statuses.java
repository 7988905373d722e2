package io.phaseload.diagnosis.evidence;

/** The meaning of HTTP statuses that several rules need (RFC 9110 §15). */
public final class Statuses {

    private Statuses() {}

    /**
     * Whether a target wants other credentials, its own or a proxy's.
     *
     * @param status of a response
     * @return {@code true} for 401, 403 and 407
     */
    public static boolean wantsCredentials(int status) {
        return status == 401 || status == 403 || status == 407;
    }
}
