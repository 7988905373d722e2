package io.phaseload.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import java.util.UUID;

/**
 * Distinguishes an instance's first invocation from later ones, as the value of {@value #HEADER}: {@code cold;
 * instance=<id>; invocation=<n>}, where the first word is one of
 *
 * <ul>
 *   <li>{@code cold}: the first invocation of a freshly initialised instance,
 *   <li>{@code restored}: the first one after a restore from a SnapStart snapshot,
 *   <li>{@code warm}: any other.
 * </ul>
 *
 * <p>An instance's id is that of the request it was started for. Safe for use by several threads.
 */
final class Starts {

    static final String HEADER = "Phaseload-Start";

    private final String first;
    // Both guarded by this.
    private String instance;
    private long invocations;

    /** Makes one for an instance. */
    Starts(String initializationType) {
        // With SnapStart, the instance that was initialised is never invoked, only copies of it.
        first = "snap-start".equals(initializationType) ? "restored" : "cold";
    }

    /**
     * Counts an invocation.
     *
     * @param context the invocation's, null where there is none
     * @return the header's value
     */
    synchronized String next(Context context) {
        if (instance == null) {
            // Not earlier: what is in a snapshot is the same in all instances restored from it. A
            // request's id is in the logs, too, and costs no start of a random generator.
            instance = context == null ? UUID.randomUUID().toString() : context.getAwsRequestId();
        }
        invocations++;
        // Not +, whose first use takes an instance 15 ms.
        return String.join(
                "",
                invocations == 1 ? first : "warm",
                "; instance=",
                instance,
                "; invocation=",
                Long.toString(invocations));
    }
}
