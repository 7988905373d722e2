package io.phaseload.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepJudgeTest {

    private static final Objective P99 = Objective.parse("p99 < 100ms").get(0);

    /** Of 200 requests a second, this many are slow. */
    private static StepSeries series(int seconds, IntToDoubleFunction slow) {
        double[] sums = new double[seconds];
        double[] weights = new double[seconds];
        Arrays.setAll(sums, slow);
        Arrays.fill(weights, 200);
        double[] figures = Arrays.stream(sums).map(of -> 50 + 25 * of).toArray();
        return new StepSeries(P99, sums, weights, figures, from -> 50);
    }

    private static Outcome outcome(int seconds, IntToDoubleFunction slow) {
        return StepJudge.of(List.of(series(seconds, slow))).outcome();
    }

    @Test
    void aStepFarFromTheLimitIsSure() {
        assertThat(StepJudge.of(List.of(series(20, i -> 0))).holds()).isGreaterThan(0.95);
        assertThat(StepJudge.of(List.of(series(20, i -> 20 + i % 3))).holds()).isLessThan(0.05);
        assertThat(StepJudge.of(List.of(series(20, i -> 2 + i % 2 * 0.1))).holds())
                .isBetween(0.1, 0.9);
    }

    @Test
    void aStepThatGetsBetterOrWorseIsNotSteady() {
        assertThat(outcome(20, i -> 20 - i)).isEqualTo(Outcome.UNSTEADY);
        assertThat(outcome(40, i -> i < 30 ? 0 : 2 * (i - 30))).isIn(Outcome.UNSTEADY, Outcome.BROKE);
    }

    @Test
    void overloadHasBrokenThoughItIsNeverSteady() {
        assertThat(outcome(20, i -> 5 * i)).isEqualTo(Outcome.BROKE);
    }

    @Test
    void aWarmUpDoesNotCount() {
        assertThat(outcome(20, i -> i < 4 ? 100 : 0)).isEqualTo(Outcome.HELD);
        assertThat(outcome(60, i -> i < 20 ? 100 : i % 2)).isEqualTo(Outcome.HELD);
    }

    @Test
    void nothingThatEndedIsNothingThatHeld() {
        StepSeries nothing = new StepSeries(P99, new double[20], new double[20], new double[20], from -> 0);

        assertThat(StepJudge.of(List.of(nothing)).outcome()).isEqualTo(Outcome.BROKE);
    }

    @Test
    void failuresAreLimitedUnlessTheObjectiveDoes() {
        assertThat(Objective.parse("p99 < 1s"))
                .extracting(Objective::toString)
                .containsExactly("p99 < 1s", "failures < 1%");
        assertThat(Objective.parse("p99 < 1s, failures < 0.1%")).hasSize(2);
        assertThat(P99.users(200)).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rps > 5",
                "max < 1s",
                "p99 > 1s",
                "failures < 5",
                "requests < 9",
                "peak: p99 < 1s",
                "p99 < 1s abort"
            })
    void onlyUpperLimitsOfMeansPercentilesAndFailuresAreObjectives(String text) {
        assertThatThrownBy(() -> Objective.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected");
    }
}
