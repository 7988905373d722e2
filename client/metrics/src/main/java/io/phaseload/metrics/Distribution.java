package io.phaseload.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Times in exponential buckets, as OpenTelemetry and Prometheus have them, and in a few buckets with fixed bounds. All
 * times are in a bucket, whatever their range.
 *
 * <p>Bucket <i>i</i> holds the times above b<sup>i</sup> s up to b<sup>i+1</sup> s, of which b = 2<sup>1/32</sup> (<a
 * href="https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram">OpenTelemetry's data
 * model</a>, scale {@value #SCALE}). So a percentile is known to 2.2 %. To that comes the error of HdrHistogram's own
 * buckets, 0.1 %.
 *
 * <p>Not thread-safe.
 */
final class Distribution {

    static final int SCALE = 5;

    /** Upper bounds in seconds; above the last one is one more bucket. */
    private static final double[] BOUNDS = {
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
    };

    private static final double NANOS = 1e9;

    private final NavigableMap<Integer, Long> buckets;
    private final long[] fixed;
    private long zeros;
    private long count;
    private double sum;

    Distribution() {
        this(new TreeMap<>(), new long[BOUNDS.length + 1]);
    }

    private Distribution(NavigableMap<Integer, Long> buckets, long[] fixed) {
        this.buckets = buckets;
        this.fixed = fixed;
    }

    /** Adds times in nanoseconds. */
    void add(Histogram nanos) {
        for (HistogramIterationValue value : nanos.recordedValues()) {
            long times = value.getCountAtValueIteratedTo();
            double seconds = nanos.medianEquivalentValue(value.getValueIteratedTo()) / NANOS;
            if (value.getValueIteratedTo() == 0) {
                zeros += times;
            } else {
                buckets.merge(bucket(seconds), times, Long::sum);
            }
            fixed[fixedBucket(seconds)] += times;
            count += times;
            sum += times * seconds;
        }
    }

    private static int bucket(double seconds) {
        return (int) Math.ceil(Math.log(seconds) / Math.log(2) * (1 << SCALE)) - 1;
    }

    private static int fixedBucket(double seconds) {
        int bucket = 0;
        while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    Distribution copy() {
        Distribution copy = new Distribution(new TreeMap<>(buckets), fixed.clone());
        copy.zeros = zeros;
        copy.count = count;
        copy.sum = sum;
        return copy;
    }

    /** By index, those that hold a time. */
    NavigableMap<Integer, Long> buckets() {
        return buckets;
    }

    /** All buckets from the first one that holds a time to the last one. */
    List<Long> dense() {
        List<Long> counts = new ArrayList<>();
        for (Map.Entry<Integer, Long> bucket : buckets.entrySet()) {
            while (counts.size() < bucket.getKey() - buckets.firstKey()) {
                counts.add(0L);
            }
            counts.add(bucket.getValue());
        }
        return counts;
    }

    /** Upper bounds in seconds of {@link #fixed()}; the last one is infinite. */
    static double[] bounds() {
        double[] bounds = Arrays.copyOf(BOUNDS, BOUNDS.length + 1);
        bounds[BOUNDS.length] = Double.POSITIVE_INFINITY;
        return bounds;
    }

    /** Counts between {@link #bounds()}, each once. */
    long[] fixed() {
        return fixed.clone();
    }

    long zeros() {
        return zeros;
    }

    long count() {
        return count;
    }

    /** In seconds. */
    double sum() {
        return sum;
    }
}
