package io.phaseload.sweep.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.stats.ScalabilityLaw;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SweepSummaryTest {

    @Test
    void aTrialIsOneValueRegardlessOfItsRequests() {
        List<TrialRow> rows = List.of(
                Rows.ok(1, 1, "threads", "10", "total_ops", "1000", "p50_ms", "3"),
                Rows.ok(1, 2, "threads", "10", "total_ops", "1", "p50_ms", "1"),
                Rows.ok(1, 3, "threads", "10", "total_ops", "1", "p50_ms", "2"),
                Rows.ok(1, 4, "status", "failed", "reason", "why", "p50_ms", "9"));
        StepSummary step =
                SweepSummary.of(Rows.steps(10), rows, List.of(), 1).steps().get(0);
        OperationSummary operation = step.operations().get(0);

        assertThat(step.threads()).isEqualTo(10);
        assertThat(step.trials()).isEqualTo(3);
        assertThat(step.failures()).containsExactly("why");
        assertThat(operation.totalOps()).isEqualTo(1002);
        // Of three values the range has the median in it in 75 of 100 cases.
        assertThat(operation.figures().get("p50_ms")).isEqualTo(new Spread(3, 2, 1, 3, 0.75, 1, 1, 3));
        assertThat(operation.median("p99_ms")).isNaN();
    }

    /** The slowest trial had too few requests for a p99, which was then below the p95. */
    @Test
    void aPercentileThatATrialCannotSupportIsLeftOut() {
        List<TrialRow> rows = List.of(
                Rows.ok(1, 1, "p50_ms", "1", "p95_ms", "2", "p99_ms", "3"),
                Rows.ok(1, 2, "p50_ms", "50", "p95_ms", "90", "p99_ms", ""),
                Rows.ok(1, 3, "p50_ms", "60", "p95_ms", "95", "p99_ms", ""));
        OperationSummary operation = SweepSummary.of(Rows.steps(10), rows, List.of(), 1)
                .steps()
                .get(0)
                .operations()
                .get(0);

        assertThat(operation.median("p95_ms")).isEqualTo(90);
        assertThat(operation.figures()).doesNotContainKey("p99_ms");
    }

    @Test
    void theLawIsFittedToTheThroughputOfAllOperations() {
        ScalabilityLaw law = new ScalabilityLaw(1000, 0.05, 0.0005);
        List<Step> steps = Rows.steps(1, 2, 4, 8, 16, 32, 64);
        List<TrialRow> rows = new ArrayList<>();
        for (Step step : steps) {
            String threads = step.values().get("threads");
            String half = String.format(Locale.ROOT, "%f", law.throughput(Integer.parseInt(threads)) / 2);
            for (String operation : List.of("GET /", "POST /")) {
                rows.add(Rows.ok(step.number(), 1, "operation", operation, "threads", threads, "ops_per_second", half));
            }
        }
        Scalability found =
                SweepSummary.of(steps, rows, List.of(), 1).scalability().get(0);

        assertThat(found.steps()).isEqualTo(7);
        assertThat(found.fit().orElseThrow().law().lambda()).isCloseTo(1000, within(1.0));
        assertThat(found.fit().orElseThrow().law().sigma()).isCloseTo(0.05, within(0.001));
        assertThat(found.fit().orElseThrow().peak().orElseThrow()).isCloseTo(43.6, within(0.5));
        // No further than twice the range that was measured.
        assertThat(found.curve().get(found.curve().size() - 1).users()).isEqualTo(128);
        List<TrialRow> five = rows.subList(0, 10);
        assertThat(SweepSummary.of(steps, five, List.of(), 1)
                        .scalability()
                        .get(0)
                        .fit())
                .isEmpty();
    }

    @Test
    void aRateIsNotANumberOfUsers() {
        List<Step> steps =
                List.of(Rows.step(1, "threads", "1", "rate", "5/s"), Rows.step(2, "threads", "2", "rate", "5/s"));
        assertThat(SweepSummary.of(steps, List.of(), List.of(), 1).scalability())
                .isEmpty();
    }
}
