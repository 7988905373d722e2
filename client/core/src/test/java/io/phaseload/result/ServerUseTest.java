package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.files.Csv;
import io.phaseload.host.HostFigure;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.result.host.HostUse;
import io.phaseload.result.host.ServerUse;
import io.phaseload.result.host.Spread;
import io.phaseload.result.json.ResultJson;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the target reported about itself, from the intervals to the folder and back. */
class ServerUseTest {

    private static final ServerMetrics OWN_PAGE =
            new ServerMetrics(URI.create("/metrics.json?token=hunter2"), Map.of());

    @TempDir
    private Path folder;

    @Test
    void gapsAndMissingFiguresDontCount() {
        ServerUse use = HostUse.of(List.of(
                        interval("a", 0, 1).withServer(new HostFigures(Map.of("busy", 3.0))),
                        interval("a", 1, 1).withServer(HostFigures.GAP),
                        interval("a", 2, 1),
                        interval("a", 3, 1).withServer(new HostFigures(Map.of("busy", 5.0, "cpu", -0.5)))))
                .server("a", List.of("cpu", "busy", "never"));
        assertThat(use.samples()).isEqualTo(2);
        assertThat(use.gaps()).isEqualTo(1);
        assertThat(use.figures()).isEqualTo(Map.of("cpu", new Spread(-0.5, -0.5), "busy", new Spread(4, 5)));
    }

    @Test
    void theFolderOfAKilledRunYieldsTheSameFigures() throws Exception {
        Plan plan = plan(OWN_PAGE);
        write(
                plan,
                interval("a", 0, 2).withServer(figures(50, 10.25)),
                // In which nothing ended: the target stalled, or the users did.
                interval("a", 1, 0).withServer(figures(100, 1 / 3.0)),
                interval("a", 2, 1).withServer(HostFigures.GAP),
                interval("a", 3, 1),
                interval("b", 4, 1).withServer(new HostFigures(Map.of("inFlight", 1e-7))));

        StoredRun stored = StoredRun.read(folder);

        assertThat(stored.plan().serverFigures()).isEqualTo(plan.serverFigures());
        Result result = stored.result();
        ServerUse a = result.phases().get(0).server().orElseThrow();
        assertThat(a.samples()).isEqualTo(2);
        assertThat(a.gaps()).isEqualTo(1);
        assertThat(a.figures().get("cpuPercent")).isEqualTo(new Spread(75, 100));
        assertThat(a.figures().get("heapMiB")).isEqualTo(new Spread((10.25 + 1 / 3.0) / 2, 10.25));
        assertThat(result.phases().get(1).server())
                .contains(new ServerUse(1, 0, Map.of("inFlight", new Spread(1e-7, 1e-7))));
        assertThat(result.totals().requests()).isEqualTo(5);
        ServerUse end = stored.result(interval -> interval.start().toSeconds() > 0)
                .phases()
                .get(0)
                .server()
                .orElseThrow();
        assertThat(end.figures().get("cpuPercent")).isEqualTo(new Spread(100, 100));
    }

    /** Also beside an answer that didn't come, which is a blank line. */
    @Test
    void theClientsFiguresAreReadBackPhaseByPhase() throws Exception {
        HostFigures busy = new HostFigures(Map.of("cpuPercent", 80.0, "openFiles", 3.0));
        HostFigures idle = new HostFigures(Map.of("cpuPercent", 40.0));
        write(
                plan(OWN_PAGE),
                interval("a", 0, 2).withClient(busy).withServer(HostFigures.GAP),
                interval("a", 1, 0).withClient(idle),
                interval("a", 2, 1),
                interval("b", 3, 1).withClient(idle).withServer(figures(50, 1)));

        StoredRun stored = StoredRun.read(folder);

        assertThat(stored.intervals()).extracting(Interval::client).containsExactly(busy, idle, HostFigures.GAP, idle);
        assertThat(stored.intervals())
                .extracting(Interval::server)
                .containsExactly(
                        Optional.of(HostFigures.GAP), Optional.empty(), Optional.empty(), Optional.of(figures(50, 1)));
        Result result = stored.result(interval -> true);
        assertThat(result.phases().get(0).client().figures())
                .isEqualTo(Map.of("cpuPercent", new Spread(60, 80), "openFiles", new Spread(3, 3)));
        assertThat(result.phases().get(1).client().figures()).isEqualTo(Map.of("cpuPercent", new Spread(40, 40)));
        Result end = stored.result(interval -> interval.start().toSeconds() > 0);
        assertThat(end.phases().get(0).client().figures()).isEqualTo(Map.of("cpuPercent", new Spread(40, 40)));
        ResultSchema.assertValid(ResultJson.write(result));
    }

    /** A host's name has dots, and a name may have a comma. */
    @Test
    void eachAgentHasLinesOfItsOwn() throws Exception {
        HostFigures agents = new HostFigures(Map.of("cpuPercent", 80.0))
                .of("10.0.0.1")
                .and(new HostFigures(Map.of("cpuPercent", 20.0, "heapMiB", 3.0)).of("a, b"));
        write(plan(OWN_PAGE), interval("a", 0, 1).withClient(agents));

        Interval read = StoredRun.read(folder).intervals().get(0);

        assertThat(read.client()).isEqualTo(agents);
        assertThat(read.client().byMachine()).containsOnlyKeys("10.0.0.1", "a, b");
        assertThat(read.client().byMachine().get("a, b").values()).containsOnlyKeys("cpuPercent", "heapMiB");
    }

    @Test
    void theClientsLinesHaveAColumnForEachFigure() throws Exception {
        HostFigures busy = new HostFigures(Map.of("cpuPercent", 80.0, "heapMiB", 3.125));
        write(plan(OWN_PAGE), interval("a", 0, 1).withClient(busy));

        List<String> lines = Files.readAllLines(folder.resolve("intervals.csv"));

        List<String> columns = Csv.cells(lines.get(0));
        List<String> cells = Csv.cells(lines.get(2));
        assertThat(columns.stream().filter(column -> column.startsWith("client_")))
                .hasSize(HostFigure.values().length);
        assertThat(cells.get(columns.indexOf("client_cpu_percent"))).isEqualTo("80.0");
        assertThat(cells.get(columns.indexOf("client_heap_mib"))).isEqualTo("3.125");
        assertThat(columns).contains("client_tcp_syn_retransmits_per_second", "client_gc_ms_per_second");
        assertThat(lines).hasSize(3).allMatch(line -> Csv.cells(line).size() == columns.size());
    }

    @Test
    void serverRowsHaveNoOperation() throws Exception {
        write(plan(OWN_PAGE), interval("a", 0, 1).withServer(figures(50, 10.25)));

        List<String> lines = Files.readAllLines(folder.resolve("intervals.csv"));

        assertThat(lines.get(0))
                .startsWith("phase,operation,start_s,")
                .contains(",server_cpu_percent,server_in_flight,server_busy_threads,server_heap_mib,");
        assertThat(lines.get(1)).startsWith("a,GET /,").endsWith(",,,,");
        assertThat(lines.get(2)).startsWith("a,,0.000000000,1.000000000,,").contains(",50.0,,,10.25,");
        int columns = Csv.cells(lines.get(0)).size();
        assertThat(lines).allMatch(line -> Csv.cells(line).size() == columns);
    }

    @Test
    void secretsOfTheAddressAreNotKept() throws Exception {
        write(plan(OWN_PAGE), interval("a", 0, 1).withServer(figures(50, 1)));
        StoredRun stored = StoredRun.read(folder);
        String json = ResultJson.write(stored.result());

        ResultSchema.assertValid(json);
        assertThat(json).doesNotContain("hunter2");
        assertThat(stored.plan().serverMetrics().orElseThrow().pages().get("").toString())
                .isEqualTo("/metrics.json?token=[redacted]");
    }

    @Test
    void severalServersRoundTrip() throws Exception {
        Map<String, URI> pages = new LinkedHashMap<>();
        pages.put("web", URI.create("/metrics.json"));
        pages.put("db", URI.create("http://db:9100/metrics"));
        HostFigures told = new HostFigures(Map.of("web.cpuPercent", 50.0, "db.stolenPercent", 1.0));
        write(
                plan(new ServerMetrics(pages, Map.of())),
                interval("a", 0, 1).withServer(told),
                interval("a", 1, 1).withServer(new HostFigures(Map.of("db.machineCpuPercent", 2.0))));
        StoredRun stored = StoredRun.read(folder);

        assertThat(stored.plan().serverMetrics().orElseThrow().pages()).isEqualTo(pages);
        assertThat(stored.intervals().get(0).server()).contains(told);
        assertThat(Files.readAllLines(folder.resolve("intervals.csv")).get(0))
                .contains(",server_web_cpu_percent,")
                .contains(",server_db_stolen_percent,");
        Result result = stored.result(interval -> true);
        ResultSchema.assertValid(ResultJson.write(result));
        assertThat(result.phases().get(0).server().orElseThrow().figures())
                .isEqualTo(Map.of(
                        "web.cpuPercent", new Spread(50, 50),
                        "db.stolenPercent", new Spread(1, 1),
                        "db.machineCpuPercent", new Spread(2, 2)));
    }

    @Test
    void selectionsRoundTrip() throws Exception {
        ServerMetrics metrics = new ServerMetrics(
                URI.create("http://other/metrics"), Map.of("a", ServerMetrics.Choice.parse("rate(x{y=\"\\\"\"})")));
        write(plan(metrics));
        assertThat(StoredRun.read(folder).plan().serverMetrics()).contains(metrics);
    }

    private void write(Plan plan, Interval... intervals) throws Exception {
        try (IntervalFiles files = new ResultFolder(folder).begin(plan)) {
            files.runStarted(Instant.EPOCH);
            for (Interval interval : intervals) {
                files.interval(interval);
            }
            assertThat(files.failure()).isEmpty();
        }
    }

    private static Plan plan(ServerMetrics metrics) {
        return Plan.builder(URI.create("http://localhost/"))
                .operations(Operation.get("/"))
                .phases(
                        new Phase("a", 1, new PhaseLength.Iterations(1)),
                        new Phase("b", 1, new PhaseLength.Iterations(1)))
                .serverMetrics(metrics)
                .build();
    }

    private static HostFigures figures(double cpu, double heap) {
        return new HostFigures(Map.of("cpuPercent", cpu, "heapMiB", heap));
    }

    private static Interval interval(String phase, int second, int requests) {
        Tally tally = new Tally();
        for (int i = 0; i < requests; i++) {
            tally.add(FixedResults.successes(1).get(0));
        }
        return new Interval(phase, Duration.ofSeconds(second), Duration.ofSeconds(1), List.of(tally));
    }
}
