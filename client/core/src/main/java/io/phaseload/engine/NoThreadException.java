package io.phaseload.engine;

/** The system gives no more threads, for which the JVM's word is {@link OutOfMemoryError}, too. */
public final class NoThreadException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * Why a run can't go on.
     *
     * @param what is missing
     * @param why what the JVM said
     */
    public NoThreadException(String what, OutOfMemoryError why) {
        super(what + ": " + why.getMessage(), why);
    }
}
