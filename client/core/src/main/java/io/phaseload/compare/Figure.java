package io.phaseload.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.phaseload.result.Figures;
import io.phaseload.result.LatencyValue;
import io.phaseload.stats.Effect.Better;
import io.phaseload.stats.Scale;
import java.util.Optional;

/** The subject of the comparison. */
public enum Figure {
    /** The median of the response times. */
    P50("p50", "ms", Better.LESS, 0.50),
    /** The 95th percentile of the response times. */
    P95("p95", "ms", Better.LESS, 0.95),
    /** The 99th percentile of the response times. */
    P99("p99", "ms", Better.LESS, 0.99),
    /** Requests per second, including failed ones. */
    THROUGHPUT("throughput", "rps", Better.MORE, Double.NaN),
    /** The percentage of requests that failed. */
    FAILED("failed", "%", Better.LESS, Double.NaN);

    private static final double NANOS_PER_MILLI = 1e6;

    private final String key;
    private final String unit;
    private final Better better;
    private final double quantile;

    Figure(String key, String unit, Better better, double quantile) {
        this.key = key;
        this.unit = unit;
        this.better = better;
        this.quantile = quantile;
    }

    /**
     * Its name in reports and files.
     *
     * @return such as {@code p99}
     */
    @JsonValue
    public String key() {
        return key;
    }

    /**
     * The unit of its values.
     *
     * @return {@code ms}, {@code rps} or {@code %}
     */
    public String unit() {
        return unit;
    }

    /**
     * Whether more or less is better.
     *
     * @return more or less
     */
    public Better better() {
        return better;
    }

    /** From 0 to 1; NaN if it isn't a percentile. */
    double quantile() {
        return quantile;
    }

    /**
     * The scale of its changes.
     *
     * @return absolute for failures, which may be none
     */
    public Scale scale() {
        return this == FAILED ? Scale.ABSOLUTE : Scale.RELATIVE;
    }

    /**
     * Its value.
     *
     * @param figures of a run, or a part of it
     * @return in its unit; empty if there are too few requests for it
     */
    public Optional<Double> value(Figures figures) {
        return switch (this) {
            case P50 -> millis(figures.response().p50());
            case P95 -> millis(figures.response().p95());
            case P99 -> millis(figures.response().p99());
            case THROUGHPUT -> Optional.of(figures.requestsPerSecond());
            case FAILED -> Optional.of(figures.failedPercent());
        };
    }

    private static Optional<Double> millis(LatencyValue value) {
        return value.value().map(time -> Math.max(1, time.toNanos()) / NANOS_PER_MILLI);
    }
}
