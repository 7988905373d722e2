package io.phaseload.compare;

import io.phaseload.stats.Effect.Better;

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
}
