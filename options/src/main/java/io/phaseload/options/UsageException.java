package io.phaseload.options;

/** What was asked for can't be done as it was written; the message is one line for the user. */
public final class UsageException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message what is wrong: the option, the value, and what is allowed. Line breaks and
     *     other control characters, which a value may have brought along, are replaced by {@code
     *     ?}.
     */
    public UsageException(String message) {
        super(message.replaceAll("\\p{Cntrl}", "?"));
    }
}
