package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.result.FixedResults;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.timing.Timing;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seconds of two operations, made up: the second one takes twice as long. */
class ThresholdSeriesTest {

    private static final double MEAN_MS = 20;

    /** The logarithm of a time has this standard deviation within a second. */
    private static final double WITHIN = 0.5;

    /** Its 99 % quantile, in standard deviations. */
    private static final double Z_99 = 2.326;

    private static final Result PASSED = FixedResults.passed();

    private final Random random = new Random(35);

    @Test
    void aLimitFarAwayIsDecided() {
        List<Interval> run = run(60, 50, second -> 0);

        assertThat(judged(run, "p99 < 200ms").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "p99 < 20ms").outcome()).isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "rps > 90").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "rps > 110").outcome()).isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "mean < 60ms").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "failures < 1%").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "requests >= 6000").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "requests >= 6000").evidence()).isEmpty();
    }

    @Test
    void aLimitWithinTheIntervalIsUndecided() {
        ThresholdResult judged = judged(run(60, 50, second -> 0), "*/POST /: p99 < %.3fms".formatted(limit(2)));

        assertThat(judged.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(judged.passed()).isFalse();
        assertThat(judged.evidence()).hasValueSatisfying(evidence -> {
            assertThat(evidence.low().orElseThrow()).isBetween(0.8 * limit(2), limit(2));
            assertThat(evidence.high().orElseThrow()).isBetween(limit(2), 1.3 * limit(2));
            assertThat(evidence.samples()).isEqualTo(3_000);
            assertThat(evidence.effectiveSamples()).isBetween(500L, 3_000L);
        });
    }

    /** One slow half minute of four: the requests of its seconds are worth no more than a few. */
    @Test
    void secondsThatAreAlikeAreWorthLess() {
        List<Interval> run = run(120, 50, second -> second / 30 == 2 ? 1 : 0);

        ThresholdResult judged = judged(run, "p50 < 40ms");

        assertThat(judged.evidence().orElseThrow().samples()).isEqualTo(12_000);
        assertThat(judged.evidence().orElseThrow().effectiveSamples()).isLessThan(500);
    }

    @Test
    void aFewRequestsCanFailAPercentileButNotPassIt() {
        List<Interval> run = run(3, 20, second -> 0);

        assertThat(judged(run, "p99 < 5ms").outcome()).isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "p99 < 1000ms")).satisfies(judged -> {
            assertThat(judged.outcome()).isEqualTo(Outcome.UNDECIDED);
            assertThat(judged.observed()).isEmpty();
            assertThat(judged.reason()).contains("n too small: 120 samples, 563 needed");
            assertThat(judged.evidence().orElseThrow().high()).isEmpty();
        });
    }

    /** At the limit itself, at most 5 of 100 runs may be called one or the other; seconds are alike or not. */
    @ParameterizedTest
    @CsvSource({"0, 0", "0.1, 0.7"})
    void atTheLimitHardlyAnythingIsDecided(double between, double correlation) {
        int decided = 0;
        for (int i = 0; i < 50; i++) {
            double[] log = correlated(60, between, correlation);
            // The times of all seconds together are lognormal again.
            double limit = 2 * MEAN_MS * Math.exp(Z_99 * Math.hypot(WITHIN, between));
            ThresholdResult judged =
                    judged(run(60, 20, second -> log[second]), "*/POST /: p99 < %.3fms".formatted(limit));
            decided += judged.outcome() == Outcome.UNDECIDED ? 0 : 1;
        }
        assertThat(decided).isLessThanOrEqualTo(4);
    }

    /** The p99 is 15 % above its limit: no run must pass, however often it is looked at. */
    @Test
    void looksDoNotAddUp() {
        int wrong = 0;
        int right = 0;
        for (int i = 0; i < 20; i++) {
            Optional<Outcome> found = untilDecided(20, 200, limit(2) / 1.15);
            wrong += found.filter(Outcome.PASS::equals).isPresent() ? 1 : 0;
            right += found.filter(Outcome.FAIL::equals).isPresent() ? 1 : 0;
        }
        assertThat(wrong).isZero();
        assertThat(right).isGreaterThanOrEqualTo(16);
    }

    @Test
    void aDecidedRunEndsAtItsFirstLook() {
        Plan plan = plan("p95 < 1s").untilDecided(Duration.ofSeconds(200));
        List<Interval> run = run(60, 20, second -> 0);
        List<Integer> ended = new ArrayList<>();
        int[] second = {0};
        ThresholdSeries series = new ThresholdSeries(plan, () -> ended.add(second[0]));
        for (Interval interval : run) {
            second[0]++;
            series.interval(interval);
        }
        assertThat(ended).containsExactly(20);
        assertThat(plan.looks(plan.phases().get(0))).hasSize(12).startsWith(Duration.ofSeconds(20));
        assertThat(plan.coverage()).isEqualTo(1 - 0.05 / 12);
    }

    @Test
    void figuresOfServersAndOfTheClient() {
        List<Interval> run = run(60, 5, second -> 0);

        assertThat(judged(run, "server.cpu < 80%").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "server.cpu < 80%").evidence().orElseThrow().samples())
                .isEqualTo(60);
        assertThat(judged(run, "server.cpu < 40%").outcome()).isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "server.cpu max < 99%").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "client.heap < 1GB").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "client.heap > 1GB").outcome()).isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "server.inFlight < 5")).satisfies(judged -> {
            assertThat(judged.outcome()).isEqualTo(Outcome.FAIL);
            assertThat(judged.reason()).contains("server.inFlight wasn't reported");
        });
    }

    @Test
    void slopes() {
        // The times rise by 36 % an hour, the heap by 60 MiB.
        List<Interval> run = run(900, 40, second -> Math.log1p(0.36 * second / 3_600));

        assertThat(judged(run, "slope mean < 10%/h").outcome()).isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "slope mean < 100%/h").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "slope rps > -5%/h").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run, "slope server.heap < 5MB/h")).satisfies(judged -> {
            assertThat(judged.outcome()).isEqualTo(Outcome.FAIL);
            assertThat(judged.observed().orElseThrow()).isBetween(50.0, 70.0);
            assertThat(judged.unit()).isEqualTo("MiB/h");
        });
        assertThat(judged(run, "slope server.heap < 100MB/h").outcome()).isEqualTo(Outcome.PASS);
        assertThat(judged(run(10, 40, second -> 0), "slope p99 < 1%/h").outcome())
                .isEqualTo(Outcome.UNDECIDED);
    }

    @Test
    void anOperationAgainstAnother() {
        List<Interval> run = run(120, 50, second -> 0);

        assertThat(judged(run, "p99 of 'POST /' < 3 x p99 of 'GET /'").outcome())
                .isEqualTo(Outcome.PASS);
        assertThat(judged(run, "p99 of 'POST /' < 1.5 x p99 of 'GET /'").outcome())
                .isEqualTo(Outcome.FAIL);
        assertThat(judged(run, "p99 of 'POST /' < 2 x p99 of 'GET /'")).satisfies(judged -> {
            assertThat(judged.outcome()).isEqualTo(Outcome.UNDECIDED);
            assertThat(judged.observed().orElseThrow()).isBetween(1.7, 2.3);
            assertThat(judged.unit()).isEqualTo("x");
        });
    }

    private Optional<Outcome> untilDecided(int least, int most, double limit) {
        Plan plan = plan("*/POST /: p99 < %.3fms".formatted(limit)).untilDecided(Duration.ofSeconds(most));
        assertThat(least).isEqualTo(20);
        boolean[] over = {false};
        ThresholdSeries series = new ThresholdSeries(plan, () -> over[0] = true);
        for (int second = 0; second < most && !over[0]; second++) {
            series.interval(second(second, 20, 0));
        }
        return Optional.of(
                series.judged(result(plan, List.of())).thresholds().get(0).outcome());
    }

    private double limit(int times) {
        return times * MEAN_MS * Math.exp(Z_99 * WITHIN);
    }

    private static ThresholdResult judged(List<Interval> run, String threshold) {
        Result result = result(plan(threshold.replace('\'', '"')), run);
        return ThresholdSeries.judged(result, run).thresholds().get(0);
    }

    private static Plan plan(String threshold) {
        return Plan.builder(URI.create("http://localhost/"))
                .scenario(Scenario.getThenPost())
                .phases(new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(20))))
                .serverMetrics(new ServerMetrics(URI.create("/metrics"), Map.of()))
                .threshold(Threshold.parse(threshold))
                .build();
    }

    private static Result result(Plan plan, List<Interval> run) {
        List<Tally> sums = IntStream.range(0, 2)
                .mapToObj(i -> Tallies.sum(
                        run.stream().map(of -> of.operations().get(i)).toList()))
                .toList();
        Measurement.PhaseMeasurement phase = new Measurement.PhaseMeasurement(
                plan.phases().get(0),
                1,
                Optional.of(PASSED.startedAt()),
                Duration.ofSeconds(Math.max(1, run.size())),
                0,
                Map.of(),
                sums,
                List.of(),
                ClientHealth.NONE,
                RequestSample.NONE,
                List.of());
        return ResultBuilder.of(
                plan,
                PASSED.environment(),
                new Measurement(
                        PASSED.engine(),
                        PASSED.startedAt(),
                        Duration.ofSeconds(Math.max(1, run.size())),
                        List.of(phase),
                        false,
                        Optional.empty(),
                        List.of()));
    }

    private List<Interval> run(int seconds, int requests, IntToDoubleFunction log) {
        return IntStream.range(0, seconds)
                .mapToObj(second -> second(second, requests, log.applyAsDouble(second)))
                .toList();
    }

    private Interval second(int second, int requests, double log) {
        return new Interval(
                "peak",
                Duration.ofSeconds(second),
                Duration.ofSeconds(1),
                List.of(tally(requests, MEAN_MS * Math.exp(log)), tally(requests, 2 * MEAN_MS * Math.exp(log))),
                List.of(),
                new HostFigures(Map.of("heapMiB", 200.0 + random.nextInt(20))),
                Optional.of(new HostFigures(Map.of(
                        "cpuPercent", 50 + 5 * random.nextGaussian(), "heapMiB", 100 + second / 60.0 + second % 20))));
    }

    private Tally tally(int requests, double medianMs) {
        Tally tally = new Tally();
        for (int i = 0; i < requests; i++) {
            tally.add(Timing.RESPONSE, (long) (1e6 * medianMs * Math.exp(WITHIN * random.nextGaussian())));
        }
        return tally;
    }

    private double[] correlated(int n, double deviation, double correlation) {
        double[] values = new double[n];
        double x = deviation * random.nextGaussian();
        for (int i = 0; i < n; i++) {
            x = correlation * x + Math.sqrt(1 - correlation * correlation) * deviation * random.nextGaussian();
            values[i] = x;
        }
        return values;
    }
}
