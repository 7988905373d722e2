package io.phaseload.cluster.wire;

import io.phaseload.input.Args;

/**
 * A file that goes with a plan.
 *
 * @param path as the plan names it: on the coordinator's machine
 * @param bytes its length
 * @param sha256 of its content, in hexadecimal digits
 */
public record SentFile(String path, long bytes, String sha256) {

    /** The most that all files of a plan have together: 4 GiB. */
    public static final long MOST_BYTES = 1L << 32;

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public SentFile {
        Args.range("bytes", bytes, 0, MOST_BYTES);
    }
}
