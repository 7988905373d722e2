package io.phaseload.journey;

/** A response asks for a request that isn't to be sent. */
public final class NotFollowedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String detail;

    /**
     * Makes one.
     *
     * @param reason one of few texts, for counting
     * @param detail for people
     */
    public NotFollowedException(String reason, String detail) {
        super(reason, null, false, false);
        this.detail = detail;
    }

    /** {@return the detail in the response} */
    public String detail() {
        return detail;
    }
}
