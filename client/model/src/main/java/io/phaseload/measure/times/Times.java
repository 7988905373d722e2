package io.phaseload.measure.times;

import io.phaseload.timing.Timing;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The times of a tally: of each timing either a few as they are, or a histogram, live or packed.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
public final class Times {

    private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
    static final int DIGITS = 3;
    private static final int SUB_BUCKETS = 2_048;

    /** Of fewer, adding each to a histogram takes no longer. */
    private static final int MANY = 8;

    // By the timing's index: a timing is in at most one of the three, but for few that are empty.
    private final @Nullable FewTimes[] few = new FewTimes[Timing.all().size()];
    private final @Nullable Histogram[] live = new Histogram[Timing.all().size()];
    private final @Nullable PackedTimes[] packed = new PackedTimes[Timing.all().size()];

    public void record(Timing timing, long nanos) {
        int of = timing.index();
        long time = Math.min(Math.max(nanos, 0), HIGHEST);
        Histogram histogram = live[of];
        if (histogram != null) {
            histogram.recordValue(time);
        } else if (packed[of] != null || few[of] != null && few[of].isFull()) {
            made(timing).recordValue(time);
        } else {
            if (few[of] == null) {
                few[of] = new FewTimes();
            }
            few[of].add(time);
        }
    }

    public void add(Times other) {
        for (Timing timing : Timing.all()) {
            add(timing, other);
        }
    }

    private void add(Timing timing, Times other) {
        FewTimes some = other.few[timing.index()];
        if (some != null && some.count() > 0) {
            some.addTo(this, timing);
        } else if (other.count(timing) > 0) {
            other.addTo(timing, made(timing));
        }
    }

    /** Adds all of them; packed ones to each other before. */
    public void addAll(Collection<Times> others) {
        if (others.size() < MANY) {
            others.forEach(this::add);
            return;
        }
        for (Timing timing : Timing.all()) {
            int of = timing.index();
            PlaceCounts sum = new PlaceCounts();
            boolean any = false;
            for (Times other : others) {
                PackedTimes some = other.packed[of];
                if (some != null && some.count() > 0 && some.hasUsualPlaces()) {
                    some.addTo(sum);
                    any = true;
                } else {
                    add(timing, other);
                }
            }
            if (any) {
                sum.addTo(made(timing));
            }
        }
    }

    /** Adds the times of a timing to others, without making a histogram of them. */
    public void addTo(Timing timing, Histogram sum) {
        int of = timing.index();
        if (live[of] != null) {
            sum.add(live[of]);
        } else if (packed[of] != null) {
            packed[of].addTo(sum);
        } else if (few[of] != null) {
            few[of].addTo(sum);
        }
    }

    public static Histogram newHistogram() {
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

    /** The times of a timing, in nanoseconds; must not be changed. */
    public Histogram histogram(Timing timing) {
        int of = timing.index();
        if (live[of] != null) {
            return live[of];
        }
        if (packed[of] != null) {
            return packed[of].histogram();
        }
        return few[of] == null ? newHistogram() : few[of].histogram();
    }

    /** The same as a histogram of its own: what is packed is unpacked into a new one anyway. */
    public Histogram copy(Timing timing) {
        Histogram times = histogram(timing);
        return times == live[timing.index()] ? times.copy() : times;
    }

    /** Those that aren't empty, by timing, in nanoseconds; must not be changed. */
    public Map<Timing, Histogram> histograms() {
        Map<Timing, Histogram> histograms = new LinkedHashMap<>();
        for (Timing timing : Timing.all()) {
            if (count(timing) > 0) {
                histograms.put(timing, histogram(timing));
            }
        }
        return histograms;
    }

    /** The number of times of a timing, without making a histogram of them. */
    public long count(Timing timing) {
        int of = timing.index();
        if (live[of] != null) {
            return live[of].getTotalCount();
        }
        if (packed[of] != null) {
            return packed[of].count();
        }
        return few[of] == null ? 0 : few[of].count();
    }

    /** Whether it has a histogram that isn't packed. */
    public boolean isLarge() {
        for (Histogram histogram : live) {
            if (histogram != null) {
                return true;
            }
        }
        return false;
    }

    public void pack() {
        for (Timing timing : Timing.all()) {
            int of = timing.index();
            if (packed[of] == null && count(timing) > 0) {
                pack(timing, histogram(timing));
            }
        }
    }

    /** Sets all times of a timing from a histogram. */
    public void pack(Timing timing, Histogram nanos) {
        packed[timing.index()] = PackedTimes.of(nanos);
        live[timing.index()] = null;
        few[timing.index()] = null;
    }

    public void reset() {
        Arrays.fill(packed, null);
        for (int i = 0; i < few.length; i++) {
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

    private Histogram made(Timing timing) {
        int of = timing.index();
        if (live[of] == null) {
            Histogram histogram = newHistogram();
            addTo(timing, histogram);
            live[of] = histogram;
            packed[of] = null;
            few[of] = null;
        }
        return live[of];
    }
}
