package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * How a time is distributed. Values come from an HdrHistogram with three significant digits, so
 * each is off by at most 0.1 %. All are {@code null} where nothing was measured.
 *
 * @param samples how many times were measured
 * @param mean their arithmetic mean
 * @param min the shortest
 * @param p50 the median
 * @param p90 90 % were no longer than this
 * @param p95 95 % were no longer than this
 * @param p99 99 % were no longer than this
 * @param p999 99.9 % were no longer than this
 * @param max the longest
 */
public record Latency(
        long samples,
        @JsonProperty("meanMs") Duration mean,
        @JsonProperty("minMs") Duration min,
        @JsonProperty("p50Ms") Duration p50,
        @JsonProperty("p90Ms") Duration p90,
        @JsonProperty("p95Ms") Duration p95,
        @JsonProperty("p99Ms") Duration p99,
        @JsonProperty("p999Ms") Duration p999,
        @JsonProperty("maxMs") Duration max) {

    /** Of no samples at all. */
    private static final Latency NONE =
            new Latency(0, null, null, null, null, null, null, null, null);

    static Latency of(Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            return NONE;
        }
        return new Latency(
                nanos.getTotalCount(),
                Duration.ofNanos(Math.round(nanos.getMean())),
                Duration.ofNanos(nanos.getMinValue()),
                percentile(nanos, 50),
                percentile(nanos, 90),
                percentile(nanos, 95),
                percentile(nanos, 99),
                percentile(nanos, 99.9),
                Duration.ofNanos(nanos.getMaxValue()));
    }

    private static Duration percentile(Histogram nanos, double percentile) {
        return Duration.ofNanos(nanos.getValueAtPercentile(percentile));
    }
}
