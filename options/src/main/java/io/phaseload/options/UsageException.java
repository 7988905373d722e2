package io.phaseload.options;

/** A mistake in a command line; the message is one line for the user. */
public final class UsageException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message the option, the value, and what is allowed; a format if there are values. Control characters in
     *     it, such as line breaks in a value, are replaced by {@code ?}
     * @param values the values of the format
     */
    public UsageException(String message, Object... values) {
        super((values.length == 0 ? message : message.formatted(values)).replaceAll("\\p{Cntrl}", "?"));
    }

    /**
     * Rejects a command line that is wrong.
     *
     * @param wrong true to reject it
     * @param message the message, which is a format if there are values
     * @param values the values of the format
     */
    public static void throwIf(boolean wrong, String message, Object... values) {
        if (wrong) {
            throw new UsageException(message, values);
        }
    }
}
