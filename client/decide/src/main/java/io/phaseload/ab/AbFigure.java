package io.phaseload.ab;

import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.result.Figures;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.host.Spread;
import io.phaseload.stats.Effect.Better;
import io.phaseload.stats.Scale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The subject of a comparison. */
public enum AbFigure {
    /** The median of the response times. */
    P50("p50", "ms", Better.LESS),
    /** The 95th percentile of the response times. */
    P95("p95", "ms", Better.LESS),
    /** The 99th percentile of the response times. */
    P99("p99", "ms", Better.LESS),
    /** Requests per second, including failed ones. */
    THROUGHPUT("throughput", "rps", Better.MORE),
    /** The percentage of requests that failed. */
    FAILED("failed", "%", Better.LESS),
    /** The CPU use that the server reported. */
    SERVER_CPU("server-cpu", "%", Better.LESS),
    /** The CPU use of the client's process. */
    CLIENT_CPU("client-cpu", "%", Better.LESS);

    private static final double NANOS_PER_MILLI = 1e6;

    private final String key;
    private final String unit;
    private final Better better;

    AbFigure(String key, String unit, Better better) {
        this.key = key;
        this.unit = unit;
        this.better = better;
    }

    /**
     * Its name in options, reports and files.
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
     * The direction of improvement.
     *
     * @return less or more
     */
    public Better better() {
        return better;
    }

    /**
     * The unit of its changes.
     *
     * @return absolute for failures, of which there may be none
     */
    public Scale scale() {
        return this == FAILED ? Scale.ABSOLUTE : Scale.RELATIVE;
    }

    /** A place on a line on which equal changes are equal distances. */
    double position(double value) {
        return this == FAILED ? value / 100 : Math.log(value);
    }

    /** The reverse of {@link #position}. */
    double value(double position) {
        return this == FAILED ? 100 * position : Math.exp(position);
    }

    /**
     * Its value in a run.
     *
     * @param result of the run, or of a part of it
     * @return in its unit; empty if it isn't known
     */
    Optional<Double> of(Result result) {
        Figures figures = result.measured();
        return switch (this) {
            case P50 -> millis(figures.response().p50());
            case P95 -> millis(figures.response().p95());
            case P99 -> millis(figures.response().p99());
            case THROUGHPUT -> positive(figures.requestsPerSecond());
            case FAILED -> Optional.of(figures.failedPercent());
            case SERVER_CPU -> mean(serverCpu(result));
            case CLIENT_CPU -> mean(
                    measured(result).mapToDouble(phase -> phase.client().cpuPercent()));
        };
    }

    /** Of all servers and measured phases that have it. */
    private static DoubleStream serverCpu(Result result) {
        Set<String> servers = result.plan()
                .serverMetrics()
                .map(metrics -> metrics.pages().keySet())
                .orElse(Set.of());
        return measured(result)
                .flatMap(phase -> phase.server().stream())
                .flatMap(use -> servers.stream()
                        .map(name -> ServerMetrics.name(name, "cpuPercent"))
                        .map(use.figures()::get))
                .filter(Objects::nonNull)
                .mapToDouble(Spread::mean);
    }

    private static Stream<PhaseResult> measured(Result result) {
        return result.phases().stream().filter(phase -> result.measuredPhases().contains(phase.name()));
    }

    private static Optional<Double> mean(DoubleStream values) {
        OptionalDouble mean = values.average();
        return mean.isPresent() ? positive(mean.getAsDouble()) : Optional.empty();
    }

    private static Optional<Double> positive(double value) {
        return Optional.of(value).filter(of -> of > 0);
    }

    private static Optional<Double> millis(LatencyValue value) {
        return value.value().map(time -> Math.max(1, time.toNanos()) / NANOS_PER_MILLI);
    }
}
