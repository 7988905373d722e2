package io.phaseload.lambda;

import java.util.UUID;

/**
 * Tells an instance's first invocation from those that follow, as the value of {@value #HEADER}:
 * {@code cold; instance=<id>; invocation=<n>}, where the first word is one of
 *
 * <ul>
 *   <li>{@code cold}: the first invocation of a freshly initialised instance,
 *   <li>{@code restored}: the first one after a restore from a SnapStart snapshot,
 *   <li>{@code warm}: any other.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
final class Starts {

    static final String HEADER = "Phaseload-Start";

    private final String first;
    // Both guarded by this.
    private String instance;
    private long invocations;

    /**
     * Makes one for an instance.
     *
     * @param initializationType what Lambda says of it in AWS_LAMBDA_INITIALIZATION_TYPE, or null
     */
    Starts(String initializationType) {
        // With SnapStart, the instance that was initialised is never invoked, only copies of it.
        first = "snap-start".equals(initializationType) ? "restored" : "cold";
    }

    /** Counts an invocation and returns the header's value. */
    synchronized String next() {
        if (instance == null) {
            // Not earlier: what is in a snapshot is the same in all instances restored from it.
            instance = UUID.randomUUID().toString();
        }
        invocations++;
        String start = invocations == 1 ? first : "warm";
        return start + "; instance=" + instance + "; invocation=" + invocations;
    }
}
