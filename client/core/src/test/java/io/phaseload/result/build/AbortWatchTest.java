package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Threshold;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Intervals of a second each, made up. */
class AbortWatchTest {

    private final AtomicInteger stops = new AtomicInteger();
    private int second;

    @Test
    void endsTheRunOnceTheWindowIsFull() {
        AbortWatch watch = watch("peak: rps > 5 abort");

        seconds(watch, 9, "peak", 1, 0);
        assertThat(stops).hasValue(0);
        seconds(watch, 1, "peak", 1, 0);

        assertThat(stops).hasValue(1);
        assertThat(watch.breach()).hasValueSatisfying(breach -> {
            assertThat(breach.expression()).isEqualTo("peak: rps > 5 abort");
            assertThat(breach.reason()).contains("1.00/s over 10.0 s ended the run");
            assertThat(breach.aborted()).isTrue();
        });
    }

    @Test
    void endsTheRunOnce() {
        AbortWatch watch = watch("rps > 5 abort", "rps > 6 abort");

        seconds(watch, 30, "peak", 1, 0);

        assertThat(stops).hasValue(1);
    }

    @Test
    void judgesTheLastTenSecondsOnly() {
        AbortWatch watch = watch("failures <= 10% abort");

        seconds(watch, 60, "peak", 9, 1);
        assertThat(stops).hasValue(0);
        // A tenth of ten seconds' requests had failed; one more is too many.
        seconds(watch, 1, "peak", 8, 2);

        assertThat(stops).hasValue(1);
    }

    @Test
    void requestsOutsideTheWindowDoNotCount() {
        AbortWatch watch = watch("requests > 0", "rps > 5 abort");

        seconds(watch, 9, "peak", 1, 0);
        seconds(watch, 1, "peak", 1_000, 0);
        seconds(watch, 9, "peak", 1, 0);
        assertThat(stops).hasValue(0);
        seconds(watch, 1, "peak", 1, 0);

        assertThat(stops).hasValue(1);
    }

    @Test
    void otherPhasesAndWarmupDoNotCount() {
        AbortWatch watch = watch("peak: rps > 5 abort", "rps > 0.5 abort");

        seconds(watch, 20, "warmup", 0, 0);
        seconds(watch, 20, "loading", 1, 0);
        seconds(watch, 9, "peak", 1, 0);
        assertThat(stops).hasValue(0);
        seconds(watch, 1, "peak", 1, 0);

        assertThat(stops).hasValue(1);
    }

    @Test
    void anOperationIsJudgedOnItsOwn() {
        AbortWatch watch = watch("*/POST /: rps > 5 abort");

        // All of them are GETs.
        seconds(watch, 10, "peak", 100, 0);

        assertThat(stops).hasValue(1);
    }

    @Test
    void aPercentileOfTooFewSamplesDoesNotEndTheRun() {
        AbortWatch watch = watch("p99 < 1us abort");

        seconds(watch, 30, "peak", 50, 0);
        assertThat(stops).hasValue(0);
        seconds(watch, 10, "peak", 57, 0);

        assertThat(stops).hasValue(1);
    }

    @Test
    void withoutAbortTheRunGoesOn() {
        AbortWatch watch = watch("rps > 5000");

        seconds(watch, 30, "peak", 1, 0);

        assertThat(stops).hasValue(0);
        assertThat(watch.breach()).isEmpty();
    }

    @Test
    void aRunThatIsOverAnywayIsLeftAlone() {
        AbortWatch watch = watch("rps > 5 abort");

        watch.close();
        seconds(watch, 30, "peak", 1, 0);

        assertThat(stops).hasValue(0);
        assertThat(watch.breach()).isEmpty();
    }

    private AbortWatch watch(String... thresholds) {
        PlanBuilder plan = Plan.builder(URI.create("http://localhost/")).scenario(Scenario.getThenPost());
        for (String threshold : thresholds) {
            plan.threshold(Threshold.parse(threshold));
        }
        return new AbortWatch(plan.build(), stops::incrementAndGet);
    }

    private void seconds(AbortWatch watch, int count, String phase, int succeeded, int failed) {
        for (int i = 0; i < count; i++) {
            PhaseRecorder recorder = new PhaseRecorder(2);
            record(recorder, succeeded, Outcome.SUCCESS);
            record(recorder, failed, new Outcome.HttpFailure(500));
            Duration start = Duration.ofSeconds(second++);
            watch.interval(new Interval(
                    phase, start, Duration.ofSeconds(1), recorder.sums().nextInterval()));
        }
    }

    private static void record(PhaseRecorder recorder, int count, Outcome outcome) {
        for (int i = 0; i < count; i++) {
            recorder.record(0, new Sample(0, 0, Exchanges.of(0, 5_000_000, outcome, 1, 0, false)));
        }
    }
}
