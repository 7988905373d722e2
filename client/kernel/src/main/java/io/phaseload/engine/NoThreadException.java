package io.phaseload.engine;

/** The system has no more threads; the JVM reports that as {@link OutOfMemoryError}. */
public final class NoThreadException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * Says why a run can't go on.
     *
     * @param what couldn't be started
     * @param why the JVM's message
     */
    public NoThreadException(String what, OutOfMemoryError why) {
        super(what + ": " + why.getMessage(), why);
    }
}
