package io.phaseload.verdict.rules;

/**
 * The slowest requests of a phase, and how many of them the client's own stalls affected.
 *
 * @param percentile above which they are, such as 99
 * @param samples the number of these requests
 * @param stalled the number of them that had the client stalled for a tenth of their time or more
 */
public record Tail(int percentile, long samples, long stalled) {

    /**
     * The share that stalls affected.
     *
     * @return 0 to 1
     */
    public double share() {
        return samples == 0 ? 0 : (double) stalled / samples;
    }
}
