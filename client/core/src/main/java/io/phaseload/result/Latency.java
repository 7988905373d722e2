package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phaseload.stats.QuantileRanks;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How a time is distributed. Values come from an HdrHistogram with three significant digits, so
 * each is off by at most 0.1 %. All are {@code null} where nothing was measured.
 *
 * <p>A percentile is {@code null}, too, where the samples are too few to bound it from above: its
 * 95 % confidence interval ends at an order statistic, and that one must be among the samples (see
 * {@link QuantileRanks}). So a p99 wants 563 samples, a p99.9 5,662, a p99.99 56,647. {@link
 * #unsupported} says which are missing.
 *
 * @param samples how many times were measured
 * @param mean their arithmetic mean
 * @param standardDeviation of the times
 * @param min the shortest
 * @param p50 the median
 * @param p75 75 % were no longer than this
 * @param p90 90 % were no longer than this
 * @param p95 95 % were no longer than this
 * @param p99 99 % were no longer than this
 * @param p999 99.9 % were no longer than this
 * @param p9999 99.99 % were no longer than this
 * @param max the longest
 * @param unsupported the percentiles that the samples can't support, with the reason
 */
public record Latency(
        long samples,
        @JsonProperty("meanMs") Duration mean,
        @JsonProperty("standardDeviationMs") Duration standardDeviation,
        @JsonProperty("minMs") Duration min,
        @JsonProperty("p50Ms") Duration p50,
        @JsonProperty("p75Ms") Duration p75,
        @JsonProperty("p90Ms") Duration p90,
        @JsonProperty("p95Ms") Duration p95,
        @JsonProperty("p99Ms") Duration p99,
        @JsonProperty("p999Ms") Duration p999,
        @JsonProperty("p9999Ms") Duration p9999,
        @JsonProperty("maxMs") Duration max,
        Map<String, String> unsupported) {

    /** A percentile with what it takes. */
    private record Percentile(String name, double percent, long leastSamples) {

        Percentile(String name, double percent) {
            this(name, percent, QuantileRanks.leastSamples(percent / 100));
        }
    }

    private static final Percentile P50 = new Percentile("p50Ms", 50);
    private static final Percentile P75 = new Percentile("p75Ms", 75);
    private static final Percentile P90 = new Percentile("p90Ms", 90);
    private static final Percentile P95 = new Percentile("p95Ms", 95);
    private static final Percentile P99 = new Percentile("p99Ms", 99);
    private static final Percentile P999 = new Percentile("p999Ms", 99.9);
    private static final Percentile P9999 = new Percentile("p9999Ms", 99.99);

    /** Of no samples at all. */
    private static final Latency NONE =
            new Latency(
                    0, null, null, null, null, null, null, null, null, null, null, null, Map.of());

    static Latency of(Histogram nanos) {
        long n = nanos.getTotalCount();
        if (n == 0) {
            return NONE;
        }
        Map<String, String> unsupported = new LinkedHashMap<>();
        return new Latency(
                n,
                Duration.ofNanos(Math.round(nanos.getMean())),
                Duration.ofNanos(Math.round(nanos.getStdDeviation())),
                Duration.ofNanos(nanos.getMinValue()),
                value(nanos, P50, unsupported),
                value(nanos, P75, unsupported),
                value(nanos, P90, unsupported),
                value(nanos, P95, unsupported),
                value(nanos, P99, unsupported),
                value(nanos, P999, unsupported),
                value(nanos, P9999, unsupported),
                Duration.ofNanos(nanos.getMaxValue()),
                Collections.unmodifiableMap(unsupported));
    }

    private static Duration value(
            Histogram nanos, Percentile percentile, Map<String, String> unsupported) {
        long n = nanos.getTotalCount();
        if (n < percentile.leastSamples()) {
            String samples = n + (n == 1 ? " sample, " : " samples, ");
            String needed = samples + percentile.leastSamples() + " needed";
            unsupported.put(percentile.name(), "n too small: " + needed);
            return null;
        }
        return Duration.ofNanos(nanos.getValueAtPercentile(percentile.percent()));
    }
}
