package io.phaseload.options;

/** A mistake in a command line; the message is one line for the user. */
public final class UsageException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message the option, the value, and what is allowed. Control characters in it, such as line breaks in a
     *     value, are replaced by {@code ?}
     */
    public UsageException(String message) {
        super(message.replaceAll("\\p{Cntrl}", "?"));
    }
}
