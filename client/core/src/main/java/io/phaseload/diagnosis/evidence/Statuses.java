package io.phaseload.diagnosis.evidence;

/** The meaning of HTTP statuses that several rules need (RFC 9110 §15). */
public final class Statuses {

    /** A request conflicts with an earlier one, or with the state of what it asks for. */
    public static final int CONFLICT = 409;

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

    /**
     * Whether a request may have asked for something that was never there, which is no fault.
     *
     * @param status of a response
     * @return {@code true} for 404 and 410
     */
    public static boolean isUnknown(int status) {
        return status == 404 || status == 410;
    }

    /**
     * Whether a target reports that there are too many requests (RFC 6585), that a client should calm down, or that a
     * limit of bytes is exceeded.
     *
     * @param status of a response
     * @return {@code true} for 429, 420 and 509
     */
    public static boolean limits(int status) {
        return status == 429 || status == 420 || status == 509;
    }
}
