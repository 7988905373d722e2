package io.phaseload.result;

import io.phaseload.measure.Tally;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.LatencyValue.TooFewSamples;
import io.phaseload.stats.Moments;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.timing.Timing;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The distribution of a time. Values come from an HdrHistogram with three significant digits, so each is off by at most
 * 0.1 %. Immutable; nothing in it is {@code null}.
 *
 * <p>A percentile needs enough samples for an upper bound: the order statistic at the end of its 95 % confidence
 * interval must be among the samples (see {@link QuantileRanks}). So a p99 needs 563 samples, a p99.9 5,662, and a
 * p99.99 56,647. All other values need one. With fewer samples, the value is {@link TooFewSamples}.
 *
 * @param samples the number of measured times
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
 * @param max the longest; exact if its request is among those that were kept as the slowest successes
 */
public record Latency(
        long samples,
        LatencyValue mean,
        LatencyValue standardDeviation,
        LatencyValue min,
        LatencyValue p50,
        LatencyValue p75,
        LatencyValue p90,
        LatencyValue p95,
        LatencyValue p99,
        LatencyValue p999,
        LatencyValue p9999,
        LatencyValue max) {

    /** A percentile and the number of samples that it needs. */
    private record Rank(double percent, long needed) {

        Rank(double percent) {
            this(percent, QuantileRanks.leastSamples(percent / 100));
        }

        LatencyValue of(Histogram nanos) {
            long n = nanos.getTotalCount();
            return n < needed ? new TooFewSamples(n, needed) : measured(nanos.getValueAtPercentile(percent));
        }
    }

    /** Of a histogram with three significant digits. */
    private static final double MOST_ERROR = 0.001;

    private static final Rank P50 = new Rank(50);
    private static final Rank P75 = new Rank(75);
    private static final Rank P90 = new Rank(90);
    private static final Rank P95 = new Rank(95);
    private static final Rank P99 = new Rank(99);
    private static final Rank P999 = new Rank(99.9);
    private static final Rank P9999 = new Rank(99.99);

    /** Without samples. */
    static final Latency NONE = of(new Histogram(1, 2, 0));

    static Latency of(Histogram nanos) {
        boolean none = nanos.getTotalCount() == 0;
        LatencyValue nothing = new TooFewSamples(0, 1);
        Moments moments = Moments.of(nanos);
        return new Latency(
                nanos.getTotalCount(),
                none ? nothing : measured(moments.mean()),
                none ? nothing : measured(moments.deviation()),
                none ? nothing : measured(nanos.getMinValue()),
                P50.of(nanos),
                P75.of(nanos),
                P90.of(nanos),
                P95.of(nanos),
                P99.of(nanos),
                P999.of(nanos),
                P9999.of(nanos),
                none ? nothing : measured(nanos.getMaxValue()));
    }

    /**
     * The figures of {@code intervals.csv}, which cost a tenth of all.
     *
     * @param tally the measurement
     * @param timing one of its times
     * @return the mean, the longest time, p50, p95 and p99; the others are missing
     */
    public static Latency brief(Tally tally, Timing timing) {
        LatencyValue nothing = new TooFewSamples(0, 1);
        if (tally.count(timing) == 0) {
            return new Latency(
                    0, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing,
                    nothing);
        }
        Histogram nanos = tally.histogram(timing);
        Latency brief = new Latency(
                nanos.getTotalCount(),
                measured(Moments.mean(nanos)),
                nothing,
                nothing,
                P50.of(nanos),
                nothing,
                nothing,
                P95.of(nanos),
                P99.of(nanos),
                nothing,
                nothing,
                measured(nanos.getMaxValue()));
        return timing == Timing.RESPONSE && !tally.slowest().isEmpty()
                ? brief.with(tally.slowest().get(0).times().responseMs())
                : brief;
    }

    /**
     * With the exact time of its slowest sample, where that is known.
     *
     * @param ms the time of a sample in milliseconds
     * @return this, or a copy if it is within the error of {@link #max}
     */
    Latency with(double ms) {
        if (!(max instanceof Measured known)) {
            return this;
        }
        double nanos = ms * 1e6;
        double recorded = known.time().toNanos();
        return Math.abs(recorded - nanos) > MOST_ERROR * recorded
                ? this
                : new Latency(
                        samples,
                        mean,
                        standardDeviation,
                        min,
                        lower(p50, nanos),
                        lower(p75, nanos),
                        lower(p90, nanos),
                        lower(p95, nanos),
                        lower(p99, nanos),
                        lower(p999, nanos),
                        lower(p9999, nanos),
                        measured(nanos));
    }

    /** No percentile is above the longest. */
    private static LatencyValue lower(LatencyValue value, double nanos) {
        return value instanceof Measured known && known.time().toNanos() > nanos ? measured(nanos) : value;
    }

    private static LatencyValue measured(double nanos) {
        return new Measured(Duration.ofNanos(Math.round(nanos)));
    }
}
