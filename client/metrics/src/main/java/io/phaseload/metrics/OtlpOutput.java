package io.phaseload.metrics;

import static io.opentelemetry.sdk.metrics.data.AggregationTemporality.CUMULATIVE;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.resources.Resource;
import io.phaseload.files.FileProblem;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends a run's sums to OpenTelemetry by OTLP over HTTP, every five seconds and at the end. A receiver that fails or is
 * slow neither stops nor slows the run: what it missed is in the next sums.
 *
 * <p>Histograms are exponential, with a relative error of at most 2.3 % for a percentile, and counts are cumulative
 * from the run's start. The resource has the plan's labels.
 */
public final class OtlpOutput implements RunListener, AutoCloseable {

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String PATH = "/v1/metrics";
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.phaseload");
    private static final AttributeKey<String> PHASE = AttributeKey.stringKey("phase");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("operation");
    private static final AttributeKey<String> JOURNEY = AttributeKey.stringKey("journey");
    private static final AttributeKey<String> CAUSE = AttributeKey.stringKey("cause");

    /** It would log each failure to standard error; held, since loggers without a holder are collected. */
    private static final Logger OF_EXPORTER = Logger.getLogger("io.opentelemetry");

    private final RunTotals totals;
    private final Resource resource;
    private final OtlpHttpMetricExporter exporter;
    private @Nullable Instant started;
    private Duration since = Duration.ZERO;
    private CompletableResultCode last = CompletableResultCode.ofSuccess();
    private int sent;
    private int failed;
    private @Nullable Throwable failure;

    /**
     * An output that sends nothing before the run begins.
     *
     * @param url the receiver's; without a path, OTLP's own is added
     * @param headers sent with each export, such as those of authentication
     * @param version Phaseload's
     */
    public OtlpOutput(Plan plan, URI url, Map<String, String> headers, String version) {
        OF_EXPORTER.setLevel(Level.OFF);
        totals = new RunTotals(plan);
        resource = Resource.getDefault().merge(Resource.create(attributes(plan, version)));
        OtlpHttpMetricExporterBuilder builder = OtlpHttpMetricExporter.builder()
                .setEndpoint(withPath(url).toString())
                .setTimeout(TIMEOUT)
                .setCompression("gzip");
        headers.forEach(builder::addHeader);
        exporter = builder.build();
    }

    private static URI withPath(URI url) {
        return url.getRawPath().isEmpty() || url.getRawPath().equals("/") ? url.resolve(PATH) : url;
    }

    private static Attributes attributes(Plan plan, String version) {
        var all = Attributes.builder();
        plan.labels().forEach((name, value) -> all.put(AttributeKey.stringKey(name), value));
        return all.put("service.name", "phaseload")
                .put("service.version", version)
                .put("phaseload.plan", plan.name())
                .build();
    }

    @Override
    public void runStarted(Instant at) {
        started = at;
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        totals.phaseStarted(phase, users);
    }

    @Override
    public void interval(Interval interval) {
        totals.interval(interval);
        since = since.plus(interval.length());
        if (started != null && since.compareTo(EVERY) >= 0 && last.isDone()) {
            since = Duration.ZERO;
            export(started);
        }
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        totals.phaseFinished(phase, wall);
    }

    private void export(Instant begin) {
        CompletableResultCode result = exporter.export(metrics(begin));
        sent++;
        result.whenComplete(() -> ended(result));
        last = result;
    }

    private synchronized void ended(CompletableResultCode result) {
        if (!result.isSuccess()) {
            failed++;
            failure = failure == null ? result.getFailureThrowable() : failure;
        }
    }

    private List<MetricData> metrics(Instant begin) {
        long from = nanos(begin);
        long now = nanos(Instant.now());
        List<Series> operations = totals.operations();
        List<MetricData> all = new ArrayList<>();
        all.add(histogram(MetricName.RESPONSE, operations, OPERATION, Series::response, from, now));
        all.add(histogram(MetricName.SERVICE, operations, OPERATION, Series::service, from, now));
        all.add(histogram(MetricName.JOURNEY, totals.journeys(), JOURNEY, Series::response, from, now));
        all.add(counter(
                MetricName.REQUESTS,
                operations.stream()
                        .map(of -> LongPointData.create(from, now, attributes(of, OPERATION), of.requests()))
                        .toList()));
        all.add(counter(
                MetricName.FAILURES,
                operations.stream()
                        .flatMap(of -> of.failures().entrySet().stream()
                                .map(cause -> LongPointData.create(
                                        from,
                                        now,
                                        attributes(of, OPERATION).toBuilder()
                                                .put(CAUSE, cause.getKey())
                                                .build(),
                                        cause.getValue())))
                        .toList()));
        Attributes phase = Attributes.of(PHASE, totals.phase());
        all.add(gauge(MetricName.USERS, DoublePointData.create(from, now, phase, totals.users(), List.of())));
        all.add(gauge(MetricName.RATE, DoublePointData.create(from, now, phase, totals.perSecond(), List.of())));
        // Receivers refuse a metric without points.
        all.removeIf(metric -> metric.getData().getPoints().isEmpty());
        return all;
    }

    private static long nanos(Instant at) {
        return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
    }

    private static Attributes attributes(Series of, AttributeKey<String> name) {
        return Attributes.of(PHASE, of.phase(), name, of.operation());
    }

    private MetricData histogram(
            MetricName name,
            List<Series> series,
            AttributeKey<String> of,
            Function<Series, Distribution> times,
            long from,
            long now) {
        List<ExponentialHistogramPointData> points = series.stream()
                .filter(each -> times.apply(each).count() > 0)
                .map(each -> point(times.apply(each), from, now, attributes(each, of)))
                .toList();
        return ImmutableMetricData.createExponentialHistogram(
                resource,
                SCOPE,
                name.dotted(),
                name.help(),
                name.unit(),
                ExponentialHistogramData.create(CUMULATIVE, points));
    }

    private static ExponentialHistogramPointData point(Distribution times, long from, long now, Attributes attributes) {
        int offset = times.buckets().isEmpty() ? 0 : times.buckets().firstKey();
        return ExponentialHistogramPointData.create(
                Distribution.SCALE,
                times.sum(),
                times.zeros(),
                false,
                0,
                false,
                0,
                ExponentialHistogramBuckets.create(Distribution.SCALE, offset, times.dense()),
                ExponentialHistogramBuckets.create(Distribution.SCALE, 0, List.of()),
                from,
                now,
                attributes,
                List.of());
    }

    private MetricData counter(MetricName name, List<LongPointData> points) {
        return ImmutableMetricData.createLongSum(
                resource,
                SCOPE,
                name.dotted(),
                name.help(),
                name.unit(),
                SumData.createLongSumData(true, CUMULATIVE, points));
    }

    private MetricData gauge(MetricName name, DoublePointData point) {
        return ImmutableMetricData.createDoubleGauge(
                resource,
                SCOPE,
                name.dotted(),
                name.help(),
                name.unit(),
                GaugeData.createDoubleGaugeData(List.of(point)));
    }

    /** Sends the sums of the whole run, if it has begun, and waits for at most ten seconds until they have arrived. */
    @Override
    public void close() {
        if (started != null) {
            last.join(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            export(started);
            last.join(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        exporter.shutdown();
    }

    /**
     * The first reason for which figures did not arrive.
     *
     * @return such as {@code 2 of 7 exports failed, the last one, too: Connection refused}; empty if all arrived
     */
    public synchronized Optional<String> failure() {
        if (failed == 0) {
            return Optional.empty();
        }
        return Optional.of("%d of %d exports failed%s: %s"
                .formatted(failed, sent, last.isSuccess() ? "" : ", the last one, too", why(failure)));
    }

    private static String why(@Nullable Throwable failure) {
        if (failure instanceof HttpExportException export && export.getResponse() != null) {
            return "HTTP status " + export.getResponse().getStatusCode();
        }
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof ConnectException) {
            return "no connection";
        }
        return cause == null ? "no answer in time" : FileProblem.of(cause);
    }
}
