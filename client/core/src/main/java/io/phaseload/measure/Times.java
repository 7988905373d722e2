package io.phaseload.measure;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The times of a {@link Tally}: one histogram per kind, live or packed.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
final class Times {

    private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
    static final int DIGITS = 3;
    private static final int SUB_BUCKETS = 2_048;
    private static final int KINDS = Kind.values().length;

    // By the kind's ordinal; created with the first time of its kind.
    private final @Nullable Histogram[] live = new Histogram[KINDS];
    // The same for packed times: a kind is in one of the two arrays.
    private final @Nullable PackedTimes[] packed = new PackedTimes[KINDS];

    void record(Kind kind, long nanos) {
        made(kind).recordValue(Math.min(Math.max(nanos, 0), HIGHEST));
    }

    void add(Times other) {
        for (Kind kind : Kind.values()) {
            if (other.count(kind) > 0) {
                other.addTo(kind, made(kind));
            }
        }
    }

    /** Adds the times of a kind to others, without unpacking them. */
    void addTo(Kind kind, Histogram sum) {
        Histogram histogram = live[kind.ordinal()];
        PackedTimes times = packed[kind.ordinal()];
        if (histogram != null) {
            sum.add(histogram);
        } else if (times != null) {
            times.addTo(sum);
        }
    }

    static Histogram newHistogram() {
        // From 1 ns, so that a slip of 0 is reported as 0.
        return new Histogram(1, HIGHEST, DIGITS);
    }

    /**
     * The lowest value that a histogram of three digits from 1 ns counts in a place: one a
     * nanosecond up to 2,048 of them, then 1,024 in each power of two.
     */
    static long lowestAt(int index) {
        int half = SUB_BUCKETS / 2;
        return index < SUB_BUCKETS ? index : (long) (index % half + half) << (index / half - 1);
    }

    /** The times of a kind, in nanoseconds; must not be changed. */
    Histogram histogram(Kind kind) {
        Histogram histogram = live[kind.ordinal()];
        if (histogram != null) {
            return histogram;
        }
        PackedTimes times = packed[kind.ordinal()];
        return times == null ? newHistogram() : times.histogram();
    }

    /** Those that aren't empty, by kind, in nanoseconds; must not be changed. */
    Map<Kind, Histogram> histograms() {
        Map<Kind, Histogram> kinds = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            if (count(kind) > 0) {
                kinds.put(kind, histogram(kind));
            }
        }
        return kinds;
    }

    /** The number of times of a kind, without unpacking the histogram. */
    long count(Kind kind) {
        Histogram histogram = live[kind.ordinal()];
        if (histogram != null) {
            return histogram.getTotalCount();
        }
        PackedTimes times = packed[kind.ordinal()];
        return times == null ? 0 : times.count();
    }

    void pack() {
        for (Kind kind : Kind.values()) {
            if (live[kind.ordinal()] != null) {
                pack(kind, live[kind.ordinal()]);
                live[kind.ordinal()] = null;
            }
        }
    }

    /** Sets all times of a kind from a packed histogram. */
    void pack(Kind kind, Histogram nanos) {
        packed[kind.ordinal()] = PackedTimes.of(nanos);
    }

    void reset() {
        Arrays.fill(packed, null);
        for (int i = 0; i < KINDS; i++) {
            if (live[i] != null && live[i].getTotalCount() == 0) {
                // No longer used, so not kept.
                live[i] = null;
            } else if (live[i] != null) {
                live[i].reset();
            }
        }
    }

    private Histogram made(Kind kind) {
        Histogram histogram = live[kind.ordinal()];
        if (histogram == null) {
            histogram = histogram(kind);
            live[kind.ordinal()] = histogram;
            packed[kind.ordinal()] = null;
        }
        return histogram;
    }
}
