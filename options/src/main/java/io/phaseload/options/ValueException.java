package io.phaseload.options;

/** A value isn't allowed. Its message is the subject, and the expected values. */
public final class ValueException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String subject;
    private final String expected;

    /**
     * Makes one for a value that the caller names.
     *
     * @param expected the allowed values
     */
    public ValueException(String expected) {
        this("", expected);
    }

    /**
     * Makes one.
     *
     * @param subject the value with its name; empty if the caller names it
     * @param expected the allowed values
     */
    public ValueException(String subject, String expected) {
        this(subject, expected, null);
    }

    /**
     * Makes one.
     *
     * @param subject the value with its name; empty if the caller names it
     * @param expected the allowed values
     * @param cause the reason, if there is one
     */
    public ValueException(String subject, String expected, Throwable cause) {
        super((subject.isEmpty() ? "" : subject + ": ") + "expected " + expected, cause);
        this.subject = subject;
        this.expected = expected;
    }

    /** {@return the value with its name; empty if the caller names it} */
    public String subject() {
        return subject;
    }

    /** {@return the allowed values} */
    public String expected() {
        return expected;
    }

    /**
     * The same about a part of something.
     *
     * @param whole the value that has the part, with its name
     * @return a copy
     */
    public ValueException in(String whole) {
        return new ValueException(subject.isEmpty() ? whole : whole + ": " + subject, expected, this);
    }

    /**
     * The allowed values instead of a rejected one.
     *
     * @param rejected the exception that rejected it
     * @param otherwise the answer if the exception doesn't have them
     * @return such as {@code 1 to 10}
     */
    public static String expected(IllegalArgumentException rejected, String otherwise) {
        return rejected instanceof ValueException of ? of.expected : otherwise;
    }
}
