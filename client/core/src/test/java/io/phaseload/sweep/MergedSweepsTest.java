package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.result.Environment;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.trials.Derived;
import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedSweepsTest {

    private static final Environment HERE = Environment.capture();

    /** Two trials of 10 and of 20 threads, measured on a day, with a label. */
    private static SweepResult sweep(String day, String label) {
        List<String> columns = new TrialRows(List.of("nodes"), List.of(), List.of("elapsed")).columns();
        List<Step> steps = Rows.steps(10, 20);
        List<TrialRow> rows = new ArrayList<>();
        for (Step step : steps) {
            for (int trial = 1; trial <= 2; trial++) {
                rows.add(Rows.ok(
                        step.number(),
                        trial,
                        "nodes",
                        label,
                        "threads",
                        step.values().get("threads"),
                        "elapsed",
                        "4",
                        "elapsed_count",
                        "200",
                        "measured_on",
                        day + "T00:0" + step.number() + ":0" + trial + "Z"));
            }
        }
        SweepInfo info = new SweepInfo(
                "events",
                Instant.parse(day + "T00:00:00Z"),
                HERE,
                List.of("--threads", "10,20"),
                2,
                Order.INTERLEAVED,
                1,
                steps);
        return new SweepResult(info, TrialTable.of(columns, rows), true, List.of());
    }

    @Test
    void stepsWithTheSameValuesShareTheirTrials() {
        SweepResult merged = MergedSweeps.of(List.of(sweep("2026-11-02", "3"), sweep("2026-11-01", "3")));

        assertThat(merged.steps()).isEqualTo(Rows.steps(10, 20));
        assertThat(merged.info().trials()).isEqualTo(4);
        assertThat(merged.info().startedAt()).isEqualTo("2026-11-01T00:00:00Z");
        assertThat(merged.rows())
                .extracting(TrialRow::step, TrialRow::trial)
                .containsExactlyInAnyOrder(
                        tuple(1, 1),
                        tuple(1, 2),
                        tuple(1, 3),
                        tuple(1, 4),
                        tuple(2, 1),
                        tuple(2, 2),
                        tuple(2, 3),
                        tuple(2, 4));
        assertThat(merged.missing()).isEmpty();
        assertThat(merged.info().isMerged()).isTrue();
    }

    @Test
    void aDifferingLabelIsADimension() {
        SweepResult merged = MergedSweeps.of(List.of(sweep("2026-11-01", "3"), sweep("2026-11-02", "5")));

        assertThat(merged.steps())
                .extracting(Step::toString)
                .containsExactly(
                        "threads=10, nodes=3", "threads=20, nodes=3", "threads=10, nodes=5", "threads=20, nodes=5");
        assertThat(merged.info().trials()).isEqualTo(2);
        assertThat(merged.trials().columns())
                .isEqualTo(sweep("2026-11-01", "3").trials().columns());
    }

    @Test
    void noTrialCountsTwice() {
        SweepResult one = sweep("2026-11-01", "3");
        SweepResult two = sweep("2026-11-02", "5");
        SweepResult both = MergedSweeps.of(List.of(one, two));

        for (List<SweepResult> some : List.of(List.of(one, one), List.of(both, two))) {
            assertThatThrownBy(() -> MergedSweeps.of(some))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("expected different sweeps; the trial that was measured");
        }
        SweepResult third = sweep("2026-11-03", "7");
        assertThat(MergedSweeps.of(List.of(both, third)).rows()).hasSize(12);
    }

    @Test
    void aSweepThatLacksTrialsIsRejected() {
        SweepResult one = sweep("2026-11-01", "3");
        SweepResult less = new SweepResult(
                one.info(), TrialTable.of(one.trials().columns(), one.rows().subList(0, 3)), true, List.of());

        assertThatThrownBy(() -> MergedSweeps.of(List.of(sweep("2026-11-02", "3"), less)))
                .hasMessage("expected complete sweeps; trials.csv of sweep 2 lacks 1 trials");
    }

    @Test
    void aDerivedColumnIsAMetric() {
        SweepResult derived = sweep("2026-11-01", "3").with(Derived.parse("per_second=elapsed_count/elapsed"));

        assertThat(derived.metrics()).containsExactly("elapsed", "per_second");
        assertThat(derived.rows()).allMatch(row -> row.text("per_second").equals("50.000000"));
        assertThatThrownBy(() -> derived.with(Derived.parse("elapsed=1")))
                .hasMessage("expected another name: trials.csv already has a column elapsed");
        assertThatThrownBy(() -> derived.with(Derived.parse("x=nothing/2")))
                .hasMessageStartingWith("nothing: expected some of step,trial,operation,");
    }
}
