package io.phaseload.compare;

import io.phaseload.stats.Effect.Better;

/** What is compared. */
public enum Figure {
    /** The median of the response times. */
    P50("p50", "ms", Better.LESS, 0.50),
    /** The 95th percentile of the response times. */
    P95("p95", "ms", Better.LESS, 0.95),
    /** The 99th percentile of the response times. */
    P99("p99", "ms", Better.LESS, 0.99),
    /** Requests per second, failed ones among them. */
    THROUGHPUT("throughput", "rps", Better.MORE, Double.NaN),
    /** Percent of the requests that failed. */
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
     * What its values are in.
     *
     * @return {@code ms}, {@code rps} or {@code %}
     */
    public String unit() {
        return unit;
    }

    /**
     * What is good in it.
     *
     * @return more or less
     */
    public Better better() {
        return better;
    }

    /** From 0 to 1; not a number if it is no percentile. */
    double quantile() {
        return quantile;
    }
}
