package io.phaseload.measure.times;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts responses by status. A run has few different ones, so a linear search is fast, and only a new status
 * allocates.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
public final class StatusCounts {

    private static final int[] NO_CODES = {};
    private static final long[] NO_COUNTS = {};

    // Of the same length: a code and its count have the same index.
    private int[] codes = NO_CODES;
    private long[] counts = NO_COUNTS;

    public void add(int code, long count) {
        int at = 0;
        while (at < codes.length && codes[at] != code) {
            at++;
        }
        if (at == codes.length) {
            codes = Arrays.copyOf(codes, at + 1);
            counts = Arrays.copyOf(counts, at + 1);
            codes[at] = code;
        }
        counts[at] += count;
    }

    public void add(StatusCounts other) {
        for (int i = 0; i < other.codes.length; i++) {
            add(other.codes[i], other.counts[i]);
        }
    }

    public void clear() {
        Arrays.fill(counts, 0);
    }

    /** The statuses that occurred, in order. */
    public Map<Integer, Long> byCode() {
        Map<Integer, Long> byCode = new TreeMap<>();
        for (int i = 0; i < codes.length; i++) {
            if (counts[i] > 0) {
                byCode.put(codes[i], counts[i]);
            }
        }
        return byCode;
    }
}
