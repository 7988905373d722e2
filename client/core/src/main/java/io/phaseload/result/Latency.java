package io.phaseload.result;

import io.phaseload.measure.Tally;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.LatencyValue.TooFewSamples;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.stats.RecordedValues;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Of a histogram with three significant digits. */
    private static final double MOST_ERROR = 0.001;

    private static final Map<Statistic, Long> NEEDED = Stream.of(Statistic.values())
            .filter(of -> of.percent() < 100)
            .collect(Collectors.toMap(of -> of, of -> QuantileRanks.leastSamples(of.percent() / 100)));

    private static final Set<Statistic> BRIEF = EnumSet.of(Statistic.P50, Statistic.P95, Statistic.P99);

    private static final LatencyValue NOTHING = new TooFewSamples(0, 1);

    /** Without samples. */
    static final Latency NONE = of(new Histogram(1, 2, 0));

    private Latency(
            long samples,
            LatencyValue mean,
            LatencyValue standardDeviation,
            LatencyValue min,
            LatencyValue max,
            Function<Statistic, LatencyValue> percentile) {
        this(
                samples,
                mean,
                standardDeviation,
                min,
                percentile.apply(Statistic.P50),
                percentile.apply(Statistic.P75),
                percentile.apply(Statistic.P90),
                percentile.apply(Statistic.P95),
                percentile.apply(Statistic.P99),
                percentile.apply(Statistic.P999),
                percentile.apply(Statistic.P9999),
                max);
    }

    static Latency of(Histogram nanos) {
        RecordedValues recorded = RecordedValues.of(nanos);
        return new Latency(
                nanos.getTotalCount(),
                any(nanos, recorded.mean()),
                any(nanos, recorded.deviation()),
                any(nanos, nanos.getMinValue()),
                any(nanos, nanos.getMaxValue()),
                of -> percentile(recorded, of));
    }

    /**
     * The figures of {@code intervals.csv}, which cost a tenth of all.
     *
     * @param tally the measurement
     * @param timing one of its times
     * @return the mean, the longest time, p50, p95 and p99; the others are missing
     */
    public static Latency brief(Tally tally, Timing timing) {
        if (tally.count(timing) == 0) {
            return new Latency(0, NOTHING, NOTHING, NOTHING, NOTHING, of -> NOTHING);
        }
        Histogram nanos = tally.histogram(timing);
        RecordedValues recorded = RecordedValues.of(nanos);
        Latency brief = new Latency(
                nanos.getTotalCount(),
                measured(recorded.mean()),
                NOTHING,
                NOTHING,
                measured(nanos.getMaxValue()),
                of -> BRIEF.contains(of) ? percentile(recorded, of) : NOTHING);
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
                : new Latency(samples, mean, standardDeviation, min, measured(nanos), of -> lower(value(of), nanos));
    }

    /**
     * One of its values.
     *
     * @param statistic the statistic
     * @return the value, or why there is none
     */
    public LatencyValue value(Statistic statistic) {
        return switch (statistic) {
            case MEAN -> mean;
            case MIN -> min;
            case P50 -> p50;
            case P75 -> p75;
            case P90 -> p90;
            case P95 -> p95;
            case P99 -> p99;
            case P999 -> p999;
            case P9999 -> p9999;
            case MAX -> max;
        };
    }

    /**
     * All of its values.
     *
     * @return by their names, such as {@code p999}
     */
    public Map<String, LatencyValue> values() {
        Map<String, LatencyValue> values = new LinkedHashMap<>();
        values.put("mean", mean);
        values.put("standardDeviation", standardDeviation);
        for (Statistic statistic : Statistic.values()) {
            values.put(statistic.toString().replace(".", ""), value(statistic));
        }
        return values;
    }

    private static LatencyValue any(Histogram nanos, double value) {
        return nanos.getTotalCount() == 0 ? NOTHING : measured(value);
    }

    private static LatencyValue percentile(RecordedValues recorded, Statistic of) {
        long n = recorded.total();
        long needed = NEEDED.getOrDefault(of, 1L);
        return n < needed ? new TooFewSamples(n, needed) : measured(recorded.atPercentile(of.percent()));
    }

    /** No percentile is above the longest. */
    private static LatencyValue lower(LatencyValue value, double nanos) {
        return value instanceof Measured known && known.time().toNanos() > nanos ? measured(nanos) : value;
    }

    private static LatencyValue measured(double nanos) {
        return new Measured(Duration.ofNanos(Math.round(nanos)));
    }
}
