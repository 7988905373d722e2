package io.phaseload.measure;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The times of a {@link Tally}: of each kind either a few as they are, or a histogram, live or packed.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
final class Times {

    private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
    static final int DIGITS = 3;
    private static final int SUB_BUCKETS = 2_048;
    private static final int KINDS = Kind.values().length;

    // By the kind's ordinal: a kind is in at most one of the three, but for few that are empty.
    private final @Nullable FewTimes[] few = new FewTimes[KINDS];
    private final @Nullable Histogram[] live = new Histogram[KINDS];
    private final @Nullable PackedTimes[] packed = new PackedTimes[KINDS];

    void record(Kind kind, long nanos) {
        int of = kind.ordinal();
        long time = Math.min(Math.max(nanos, 0), HIGHEST);
        Histogram histogram = live[of];
        if (histogram != null) {
            histogram.recordValue(time);
        } else if (packed[of] != null || few[of] != null && few[of].isFull()) {
            made(kind).recordValue(time);
        } else {
            if (few[of] == null) {
                few[of] = new FewTimes();
            }
            few[of].add(time);
        }
    }

    void add(Times other) {
        for (Kind kind : Kind.values()) {
            FewTimes some = other.few[kind.ordinal()];
            if (some != null && some.count() > 0) {
                some.addTo(this, kind);
            } else if (other.count(kind) > 0) {
                other.addTo(kind, made(kind));
            }
        }
    }

    /** Adds the times of a kind to others, without making a histogram of them. */
    void addTo(Kind kind, Histogram sum) {
        int of = kind.ordinal();
        if (live[of] != null) {
            sum.add(live[of]);
        } else if (packed[of] != null) {
            packed[of].addTo(sum);
        } else if (few[of] != null) {
            few[of].addTo(sum);
        }
    }

    static Histogram newHistogram() {
        // From 1 ns, so that a slip of 0 is reported as 0.
        return new Histogram(1, HIGHEST, DIGITS);
    }

    /**
     * The lowest value that a histogram of three digits from 1 ns counts in a place: one a nanosecond up to 2,048 of
     * them, then 1,024 in each power of two.
     */
    static long lowestAt(int index) {
        int half = SUB_BUCKETS / 2;
        return index < SUB_BUCKETS ? index : (long) (index % half + half) << (index / half - 1);
    }

    /** The times of a kind, in nanoseconds; must not be changed. */
    Histogram histogram(Kind kind) {
        int of = kind.ordinal();
        if (live[of] != null) {
            return live[of];
        }
        if (packed[of] != null) {
            return packed[of].histogram();
        }
        return few[of] == null ? newHistogram() : few[of].histogram();
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

    /** The number of times of a kind, without making a histogram of them. */
    long count(Kind kind) {
        int of = kind.ordinal();
        if (live[of] != null) {
            return live[of].getTotalCount();
        }
        if (packed[of] != null) {
            return packed[of].count();
        }
        return few[of] == null ? 0 : few[of].count();
    }

    /** Whether it has a histogram that isn't packed. */
    boolean isLarge() {
        for (Histogram histogram : live) {
            if (histogram != null) {
                return true;
            }
        }
        return false;
    }

    void pack() {
        for (Kind kind : Kind.values()) {
            int of = kind.ordinal();
            if (packed[of] == null && count(kind) > 0) {
                pack(kind, histogram(kind));
            }
        }
    }

    /** Sets all times of a kind from a histogram. */
    void pack(Kind kind, Histogram nanos) {
        packed[kind.ordinal()] = PackedTimes.of(nanos);
        live[kind.ordinal()] = null;
        few[kind.ordinal()] = null;
    }

    void reset() {
        Arrays.fill(packed, null);
        for (int i = 0; i < KINDS; i++) {
            if (few[i] != null) {
                few[i].clear();
            }
            if (live[i] != null && live[i].getTotalCount() <= FewTimes.MOST) {
                // No longer needed, so not kept.
                live[i] = null;
            } else if (live[i] != null) {
                live[i].reset();
            }
        }
    }

    private Histogram made(Kind kind) {
        int of = kind.ordinal();
        if (live[of] == null) {
            Histogram histogram = newHistogram();
            addTo(kind, histogram);
            live[of] = histogram;
            packed[of] = null;
            few[of] = null;
        }
        return live[of];
    }
}
