package io.phaseload.metrics;

import io.phaseload.host.Daemons;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Serves a run's sums at {@code /metrics} for Prometheus, with classic and native histograms. It is for a trusted
 * network: it asks for no password.
 */
public final class PrometheusOutput implements RunListener, AutoCloseable {

    /** Prometheus reads every 15 s by default; a minute is the longest interval in common use. */
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(61);

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

    /** It would log each reader that leaves early; held, since loggers without a holder are collected. */
    private static final Logger OF_SERVER = Logger.getLogger("io.prometheus");

    private final RunTotals totals;
    private final Labels info;
    private final ExecutorService readers = Executors.newFixedThreadPool(2, Daemons.named("phaseload-prometheus"));
    private final HTTPServer server;
    // Guarded by this: when pages were read, as System.nanoTime().
    private long reads;
    private long lastRead;
    private long betweenReads;

    /**
     * Opens the page.
     *
     * @param address the place to listen at; port 0 is any free one
     * @param version Phaseload's
     * @throws IOException if the port is taken
     */
    public PrometheusOutput(Plan plan, InetSocketAddress address, String version) throws IOException {
        OF_SERVER.setLevel(Level.OFF);
        totals = new RunTotals(plan);
        var labels = Labels.builder().label("version", version).label("plan", plan.name());
        plan.labels().forEach((name, value) -> labels.label(PrometheusNaming.sanitizeLabelName(name), value));
        info = labels.build();
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(this::page);
        server = HTTPServer.builder()
                .inetAddress(address.getAddress())
                .port(address.getPort())
                .registry(registry)
                .executorService(readers)
                .registerHealthHandler(false)
                .buildAndStart();
    }

    /** {@return the port that it listens at} */
    public int port() {
        return server.getPort();
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        totals.phaseStarted(phase, users);
    }

    @Override
    public void interval(Interval interval) {
        totals.interval(interval);
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        totals.phaseFinished(phase, wall);
    }

    private MetricSnapshots page() {
        readNow();
        List<Series> operations = totals.operations();
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(histogram(MetricName.RESPONSE, operations, "operation", Series::response));
        all.add(histogram(MetricName.SERVICE, operations, "operation", Series::service));
        all.add(histogram(MetricName.JOURNEY, totals.journeys(), "journey", Series::response));
        var requests = CounterSnapshot.builder()
                .name(MetricName.REQUESTS.underscored())
                .help(MetricName.REQUESTS.help());
        var failures = CounterSnapshot.builder()
                .name(MetricName.FAILURES.underscored())
                .help(MetricName.FAILURES.help());
        for (Series of : operations) {
            Labels labels = Labels.of("phase", of.phase(), "operation", of.operation());
            requests.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .labels(labels)
                    .value(of.requests())
                    .build());
            of.failures()
                    .forEach((cause, count) -> failures.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                            .labels(labels.merge(Labels.of("cause", cause)))
                            .value(count)
                            .build()));
        }
        all.add(requests.build());
        all.add(failures.build());
        Labels phase = Labels.of("phase", totals.phase());
        all.add(gauge(MetricName.USERS, phase, totals.users()));
        all.add(gauge(MetricName.RATE, phase, totals.perSecond()));
        all.add(InfoSnapshot.builder()
                .name("phaseload")
                .help("the run")
                .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(info)
                        .build())
                .build());
        return new MetricSnapshots(all);
    }

    private static MetricSnapshot gauge(MetricName name, Labels labels, double value) {
        return GaugeSnapshot.builder()
                .name(name.underscored())
                .help(name.help())
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build())
                .build();
    }

    private static MetricSnapshot histogram(
            MetricName name, List<Series> series, String label, Function<Series, Distribution> times) {
        var all = HistogramSnapshot.builder().name(name.underscored()).help(name.help());
        for (Series of : series) {
            all.dataPoint(point(times.apply(of), Labels.of("phase", of.phase(), label, of.operation())));
        }
        return all.build();
    }

    private static HistogramDataPointSnapshot point(Distribution times, Labels labels) {
        // A bucket's number is that of its upper bound; of OpenTelemetry, of its lower one.
        int[] numbers =
                times.buckets().keySet().stream().mapToInt(index -> index + 1).toArray();
        long[] counts =
                times.buckets().values().stream().mapToLong(Long::longValue).toArray();
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .sum(times.sum())
                .nativeSchema(Distribution.SCALE)
                .nativeZeroCount(times.zeros())
                .nativeBucketsForPositiveValues(NativeHistogramBuckets.of(numbers, counts))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(Distribution.bounds(), times.fixed()))
                .build();
    }

    private synchronized void readNow() {
        long now = System.nanoTime();
        betweenReads = reads > 0 ? now - lastRead : 0;
        lastRead = now;
        reads++;
        notifyAll();
    }

    /** Waits until the sums of the whole run have been read by a Prometheus that read the page twice or more before. */
    @Override
    public void close() {
        try {
            awaitLastRead();
            readers.shutdown();
            readers.awaitTermination(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }

    private synchronized void awaitLastRead() throws InterruptedException {
        long before = reads;
        long wait = Math.min(LONGEST_INTERVAL.toNanos(), betweenReads + betweenReads / 2);
        long end = lastRead + wait;
        while (reads == before && betweenReads > 0 && System.nanoTime() < end) {
            wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
        }
    }
}
