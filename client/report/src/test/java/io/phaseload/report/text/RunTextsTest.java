package io.phaseload.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.result.FixedResults;
import io.phaseload.result.Result;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.host.HostUse;
import io.phaseload.run.EngineUse;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the report says of models, engines and servers other than the default ones. */
class RunTextsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void theReportNamesTheModelAndWhatWasNotSent() {
        String report = TextReport.write(open(600, Map.of("dropped", 98L, "interrupted", 2L)));

        assertThat(report.lines())
                .contains("Not sent: 100 of 700 (dropped 98, interrupted 2)")
                .contains("Open model: requests are sent when they are due; latency counts from then")
                .anyMatch(line -> line.matches("  Sent late by \\(ms\\): p99 2\\.\\d{3}, max 2\\.\\d{3}"))
                .noneMatch(line -> line.startsWith("Closed model"));
    }

    @Test
    void aPercentileOfTooFewSamplesIsNotReported() {
        String report = TextReport.write(open(562, Map.of()));

        assertThat(report.lines()).contains("P99 Latency = n too small.");
        assertThat(report).doesNotContain("Not sent");
        assertThat(TextReport.write(open(563, Map.of())).lines())
                .anyMatch(line -> line.matches("P99 Latency = \\d+\\.\\d{3} ms\\."));
    }

    @Test
    void theReportNamesEventLoops() {
        EngineUse streams = EngineUse.ofLoops("events", "epoll", 2, Optional.of("jdk"), new Protocol.Http2(10));
        EngineUse oneLoop = EngineUse.ofLoops("events", "nio", 1, Optional.empty(), Protocol.HTTP_1);

        assertThat(TextReport.summary(ranBy(streams)))
                .containsPattern("Client: .*, event loops \\(epoll, 2 loops, TLS by jdk\\), HTTP/2 with 10"
                        + " streams a connection\n");
        assertThat(TextReport.summary(ranBy(oneLoop))).containsPattern("Client: .*, event loops \\(nio, 1 loop\\)\n");
    }

    @Test
    void theReportMentionsSharedConnections() {
        EngineUse pipelined = EngineUse.ofLoops("events", "nio", 1, Optional.empty(), new Protocol.Http1(8));

        assertThat(TextReport.summary(ranBy(pipelined)))
                .contains(", event loops (nio, 1 loop), pipeline 8: 8 users share a connection\n");
    }

    @Test
    void theReportHasTheServersMeanAndMaxAndItsGaps() {
        Map<String, ServerMetrics.Choice> choices = new LinkedHashMap<>();
        choices.put("cpu", ServerMetrics.Choice.parse("rate(cpu_seconds_total)"));
        choices.put("busy", ServerMetrics.Choice.parse("busy{pool=\"a\"}"));
        Plan plan = plan(closed("a"), closed("b"))
                .serverMetrics(new ServerMetrics(URI.create("http://other/metrics"), choices))
                .build();
        Result result = result(plan, EngineUse.THREADS, 1, Map.of())
                .with(HostUse.of(List.of(
                        reported("a", Map.of("cpu", 0.25, "busy", 3.0)),
                        reported("a", Map.of("cpu", 0.75, "busy", 4.0)),
                        reported("b", Map.of()))));

        assertThat(TextReport.summary(result))
                .contains(
                        """

                        Server's own figures, mean and max, read once a second from http://other/metrics:
                        phase  samples  cpu  max  busy  max
                        a            2  0.5  0.8   3.5  4.0
                        b            0  n/a  n/a   n/a  n/a
                          Without an answer in time: 1

                        """);
    }

    @Test
    void severalServersHaveARowEachOfTheMainFigures() {
        Map<String, URI> pages = new LinkedHashMap<>();
        pages.put("web", URI.create("/metrics.json"));
        pages.put("db", URI.create("http://db:9100/metrics"));
        Plan plan = plan(closed("a"))
                .serverMetrics(new ServerMetrics(pages, Map.of()))
                .build();
        Result result = result(plan, EngineUse.THREADS, 1, Map.of())
                .with(HostUse.of(List.of(reported(
                        "a",
                        Map.of(
                                "web.cpuPercent", 40.0,
                                "web.openFiles", 7.0,
                                "db.machineCpuPercent", 90.0)))));

        assertThat(TextReport.summary(result))
                .contains(
                        "/metrics.json), db (http://db:9100/metrics):\n",
                        """
                        phase  samples  server  cpuPercent   max  machineCpuPercent   max
                        a            1  web           40.0  40.0                n/a   n/a
                        a            1  db             n/a   n/a               90.0  90.0
                        """);
    }

    @Test
    void theAddressOfTheServersFiguresKeepsNoSecret() {
        Plan plan = plan(closed("a"))
                .serverMetrics(new ServerMetrics(URI.create("/metrics.json?token=hunter2"), Map.of()))
                .build();

        Result result = result(plan, EngineUse.THREADS, 1, Map.of()).with(HostUse.of(List.of(reported("a", Map.of()))));

        assertThat(TextReport.write(result)).contains("/metrics.json?token=").doesNotContain("hunter2");
    }

    private static Interval reported(String phase, Map<String, Double> figures) {
        Duration second = Duration.ofSeconds(1);
        return new Interval(phase, Duration.ZERO, second, List.of(new Tally())).withServer(new HostFigures(figures));
    }

    private static Phase closed(String name) {
        return new Phase(name, 1, new PhaseLength.Iterations(1));
    }

    private static PlanBuilder plan(Phase... phases) {
        return Plan.builder(URI.create("http://localhost:8080/"))
                .operations(Operation.get("/"))
                .phases(phases);
    }

    private static Result open(int sent, Map<String, Long> notSent) {
        Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(700)), Load.Overload.DROP);
        Plan plan = plan(new Phase("open", 1, new PhaseLength.Lasting(SECOND), load))
                .build();
        return result(plan, EngineUse.THREADS, sent, notSent);
    }

    private static Result ranBy(EngineUse engine) {
        return result(plan(closed("peak")).build(), engine, 1, Map.of());
    }

    /** In each phase, each request is sent 2 ms late and takes 3 ms. */
    private static Result result(Plan plan, EngineUse engine, int sent, Map<String, Long> notSent) {
        PhaseRecorder recorder = new PhaseRecorder(1);
        for (int i = 0; i < sent; i++) {
            recorder.record(i, new Sample(0, 0, Exchanges.of(2_000_000, 5_000_000, Outcome.SUCCESS, 100, 0, false)));
        }
        long missing = notSent.values().stream().mapToLong(Long::longValue).sum();
        List<PhaseMeasurement> phases = plan.phases().stream()
                .map(phase -> new PhaseMeasurement(
                        phase,
                        10,
                        Optional.of(Instant.EPOCH),
                        SECOND,
                        sent + missing,
                        notSent,
                        recorder.sums().totals(),
                        List.of(),
                        ClientHealth.NONE,
                        RequestSample.NONE,
                        List.of()))
                .toList();
        return ResultBuilder.of(
                plan,
                FixedResults.passed().environment(),
                new Measurement(engine, Instant.EPOCH, SECOND, phases, false, Optional.empty(), List.of()));
    }
}
