package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * The comparison of a run with its server's access log.
 *
 * @param source the log, as the user named it
 * @param by the way that requests were recognised: {@code ids} of traces, or {@code counts} of each operation and
 *     status
 * @param requests the number of requests that the client sent
 * @param matched those that the log has
 * @param unexplained requests without a line, and lines without a request, that nothing explains
 * @param others lines of other requests during the run, which don't count
 * @param differences between both, those that nothing explains first; empty if there are none
 */
public record Proof(
        String source,
        String by,
        long requests,
        long matched,
        long unexplained,
        long others,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Difference> differences) {

    /** Copies the list. */
    public Proof {
        differences = differences == null ? List.of() : List.copyOf(differences);
    }

    /**
     * Requests that the client and the log count differently.
     *
     * @param operation the operation, or several with the same method and path
     * @param status the status, or the cause of failures without one
     * @param client the number that the client counted
     * @param server the number that the log has
     * @param explained true if the reason explains it
     * @param reason a reason that is known, or that is possible
     */
    public record Difference(
            String operation, String status, long client, long server, boolean explained, String reason) {}
}
