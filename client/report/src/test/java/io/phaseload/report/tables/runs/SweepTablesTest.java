package io.phaseload.report.tables.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.SyntheticRun;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.NaturalOrder;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Environment;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.rows.Window;
import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Charts draw panels and axes in the order in which the tables' rows come. */
class SweepTablesTest {

    private static final List<String> COUNTS = List.of("1", "1000", "10k", "10");

    /** Of a first step without a p99, trials in another order than the steps', and a metric. */
    private static List<Table> tables() {
        List<Step> steps = new ArrayList<>();
        List<TrialRow> rows = new ArrayList<>();
        for (String count : COUNTS) {
            int number = steps.size() + 1;
            steps.add(new Step(number, Map.of("count", count, "threads", "4", "duration", number + "s")));
            Map<String, String> row = new LinkedHashMap<>();
            row.put("step", Integer.toString(number));
            row.put("trial", "1");
            row.put("operation", "GET /");
            row.put("status", "ok");
            row.put("threads", "4");
            row.put("ops_per_second", "100");
            row.put("p95_ms", "2");
            row.put("p99_ms", number == 1 ? "" : "3");
            row.put("max_ms", "5");
            row.put("elapsed", "7");
            rows.add(new TrialRow(row));
        }
        Collections.reverse(rows);
        SweepInfo info =
                new SweepInfo("events", Instant.EPOCH, Environment.capture(), List.of(), 1, Order.RANDOM, 1, steps);
        TrialTable trials = new TrialTable(List.of(), List.of("elapsed"), rows);
        return SweepTables.of(new SweepResult(info, trials, true, List.of()));
    }

    private static List<String> column(Table table, String name) {
        int column = table.columns().stream().map(Column::name).toList().indexOf(name);
        return table.rows().stream()
                .map(row -> String.valueOf(row.get(column)))
                .distinct()
                .toList();
    }

    @Test
    void numbersAreSortedByValue() {
        for (Table table : tables().subList(0, 2)) {
            assertThat(column(table, "across")).as(table.name()).containsExactly("1", "10", "1000", "10k");
            assertThat(column(table, "across_of")).containsExactly("count");
        }
    }

    @Test
    void aParameterOfNumbersIsSweptAsALoadIs() {
        assertThat(column(tables().get(0), "load")).containsExactly("1.0", "10.0", "1000.0", "10000.0");
        assertThat(column(tables().get(0), "swept")).containsExactly("count");
    }

    @Test
    void theDurationOfALoadIsNotADimension() {
        assertThat(column(tables().get(0), "down")).containsExactly("(all)");
        assertThat(column(tables().get(0), "group")).noneMatch(group -> group.contains("duration"));
    }

    /** A mark over each point says no more than the badge does. */
    @Test
    void onlyStepsThatDifferInTheirVerdictAreMarked() {
        assertThat(marks("SUSPECT", "SUSPECT")).containsExactly("");
        assertThat(marks("SUSPECT", "VALID")).containsExactly("?", "");
        assertThat(marks("SUSPECT", "INVALID")).containsExactly("?", "✗");
    }

    private static List<String> marks(String first, String second) {
        List<TrialRow> rows = List.of(
                Rows.ok(1, 1, "threads", "1", "ops_per_second", "9", "verdict", first),
                Rows.ok(2, 1, "threads", "2", "ops_per_second", "9", "verdict", second));
        SweepInfo info = new SweepInfo(
                "x", Instant.EPOCH, Environment.capture(), List.of(), 1, Order.RANDOM, 1, Rows.steps(1, 2));
        return column(
                SweepTables.of(new SweepResult(info, new TrialTable(List.of(), List.of(), rows), true, List.of()))
                        .get(0),
                "mark");
    }

    /** Of all seconds of the measured phases. */
    @Test
    void aTrialKnowsTheServersCpu() {
        SyntheticRun run = SyntheticRun.run(3, 100, "GET /");
        Window window = new Window(run.result().plan(), run.result().plan().measuredPhases());
        run.intervals().forEach(window::interval);
        Step step = new Step(1, Map.of("threads", "10"));

        TrialRow row = TrialRows.of(run.result().plan(), step)
                .of(new Trial(step, 1), run.result(), window, Optional.empty())
                .get(0);

        assertThat(row.text("server_cpu_percent")).isEqualTo("51.000000");
    }

    @Test
    void metricsPrecedeTheOtherFigures() {
        assertThat(column(tables().get(1), "figure")).containsExactly("elapsed", "throughput", "p95", "p99", "max");
    }

    @Test
    void textValuesKeepTheirOrder() {
        assertThat(NaturalOrder.sorted(List.of("b", "a", "1"))).containsExactly("b", "a", "1");
        assertThat(NaturalOrder.sorted(List.of("2s", "1m", "500ms"))).containsExactly("500ms", "2s", "1m");
        assertThat(NaturalOrder.sorted(List.of("200/s", "50/s"))).containsExactly("50/s", "200/s");
    }
}
