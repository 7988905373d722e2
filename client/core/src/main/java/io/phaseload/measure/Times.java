package io.phaseload.measure;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The times of a {@link Tally}, a histogram per kind, either live or packed.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
final class Times {

    private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;
    private static final int KINDS = Kind.values().length;

    // By a kind's ordinal; made when the first time of its kind is recorded.
    private final @Nullable Histogram[] live = new Histogram[KINDS];
    // The same of times that were packed: a kind is in one of the two.
    private final @Nullable PackedTimes[] packed = new PackedTimes[KINDS];

    void record(Kind kind, long nanos) {
        made(kind).recordValue(Math.min(Math.max(nanos, 0), HIGHEST));
    }

    void add(Times other) {
        other.histograms().forEach((kind, nanos) -> made(kind).add(nanos));
    }

    /** Of a kind, in nanoseconds; not to be changed. */
    Histogram histogram(Kind kind) {
        Histogram histogram = live[kind.ordinal()];
        if (histogram != null) {
            return histogram;
        }
        PackedTimes times = packed[kind.ordinal()];
        // From 1 ns, so that a slip of nothing is reported as nothing.
        return times == null ? new Histogram(1, HIGHEST, DIGITS) : times.histogram();
    }

    /** Those that aren't empty, by kind, in nanoseconds; not to be changed. */
    Map<Kind, Histogram> histograms() {
        Map<Kind, Histogram> kinds = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            if (count(kind) > 0) {
                kinds.put(kind, histogram(kind));
            }
        }
        return kinds;
    }

    /** How many there are of a kind, without making the histogram of what is packed. */
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

    /** Takes all times of a kind from a histogram, packed. */
    void pack(Kind kind, Histogram nanos) {
        packed[kind.ordinal()] = PackedTimes.of(nanos);
    }

    void reset() {
        Arrays.fill(packed, null);
        for (int i = 0; i < KINDS; i++) {
            if (live[i] != null && live[i].getTotalCount() == 0) {
                // Not used any more, so not kept.
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
