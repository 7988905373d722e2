package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.check.Threshold;
import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StopRuleTest {

    private static final List<Step> STEPS = Rows.steps(10, 20, 40, 80, 160);

    private static StopRule when(String condition) {
        return new StopRule(Optional.of(Threshold.parse(condition)), false);
    }

    @ParameterizedTest
    @CsvSource({
        "first-event p95 > 500ms, true",
        "first-event p95 > 700ms, false",
        "event-gap p99 > 50ms, true",
        "event-delivery p50 > 1ms, false"
    })
    void timesOfEventsStopToo(String condition, boolean stops) {
        List<TrialRow> rows = List.of(Rows.ok(2, 1, "first_event_p95_ms", "600", "event_gap_p99_ms", "60"));
        assertThat(when(condition).reasonToSkip(STEPS.get(2), STEPS, rows))
                .isEqualTo(stops ? Optional.of(condition + " at threads=20") : Optional.empty());
    }

    @Test
    void otherStatisticsOfEventsAreNotKept() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> when("event-gap max > 1s"))
                .withMessageContaining("p50, p95 or p99 of first-event, event-gap");
    }

    private static List<TrialRow> throughputs(double... perStep) {
        List<TrialRow> rows = new ArrayList<>();
        for (double throughput : perStep) {
            rows.add(Rows.ok(rows.size() + 1, 1, "ops_per_second", Double.toString(throughput)));
        }
        return rows;
    }

    @ParameterizedTest
    @CsvSource({
        "failures > 5%, true",
        "failures > 6%, false",
        "failures >= 6, true",
        "rps > 299, true",
        "requests > 99, true",
        "p99 > 1s, true",
        "p99 > 2s, false",
        "p99.9 > 1ms, false",
        "max < 1ms, false"
    })
    void aConditionSkipsStepsOfHigherLoad(String condition, boolean stops) {
        // Of two operations: a count is of both, a time of any.
        List<TrialRow> rows = List.of(
                Rows.ok(2, 1, "total_ops", "50", "failed", "0", "ops_per_second", "150"),
                Rows.ok(
                        2,
                        1,
                        "total_ops",
                        "50",
                        "failed",
                        "6",
                        "ops_per_second",
                        "150",
                        "p99_ms",
                        "1500",
                        "max_ms",
                        "1700",
                        "p999_ms",
                        ""));
        assertThat(when(condition).reasonToSkip(STEPS.get(2), STEPS, rows))
                .isEqualTo(stops ? Optional.of(condition + " at threads=20") : Optional.empty());
        assertThat(when(condition).reasonToSkip(STEPS.get(1), STEPS, rows)).isEmpty();
    }

    @Test
    void aConditionAppliesWithinItsGroup() {
        List<Step> steps = List.of(
                Rows.step(1, "threads", "10", "size", "1k"),
                Rows.step(2, "threads", "20", "size", "1k"),
                Rows.step(3, "threads", "10", "size", "9k"));
        List<TrialRow> rows = List.of(Rows.ok(1, 1, "total_ops", "10", "failed", "10"));
        StopRule rule = when("failures > 5%");
        assertThat(rule.reasonToSkip(steps.get(1), steps, rows)).isPresent();
        assertThat(rule.reasonToSkip(steps.get(2), steps, rows)).isEmpty();
    }

    @Test
    void aPlateauIsTwoStepsWithoutGrowth() {
        StopRule rule = new StopRule(Optional.empty(), true);
        assertThat(rule.reasonToSkip(STEPS.get(4), STEPS, throughputs(100, 190, 195, 199)))
                .contains("throughput stopped growing at threads=80");
        assertThat(rule.reasonToSkip(STEPS.get(4), STEPS, throughputs(100, 190, 195, 230)))
                .isEmpty();
        // Less is no growth either.
        assertThat(rule.reasonToSkip(STEPS.get(3), STEPS, throughputs(100, 90, 95)))
                .isPresent();
        assertThat(rule.reasonToSkip(STEPS.get(2), STEPS, throughputs(100, 90))).isEmpty();
        assertThat(rule.reasonToSkip(STEPS.get(4), STEPS, List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"peak: rps > 5", "peak/GET /: rps > 5", "rps > 5 abort"})
    void aConditionAppliesToAWholeTrial(String condition) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> when(condition))
                .withMessage("expected a condition without a phase, an operation and abort");
    }
}
