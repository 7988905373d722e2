package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.stats.Effect.Better;
import io.phaseload.stats.Effect.Word;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimates, and what is between two of them. */
class EffectTest {

    private static final Offset<Double> CLOSE = within(1e-6);
    private static final double[] A = {10.1, 9.8, 10.4};
    private static final double[] B = {11.2, 10.9, 11.8, 11.0};

    /** {@code scipy.stats.ttest_ind(log(b), log(a), equal_var=False)} of SciPy 1.17.1, by exp. */
    @Test
    void ofTrialsIsWelchsInterval() {
        Effect relative = Effect.between(Estimate.ofTrials(Scale.RELATIVE, A), Estimate.ofTrials(Scale.RELATIVE, B));
        assertThat(relative.change()).isCloseTo(0.11118458250681229, CLOSE);
        assertThat(relative.low()).isCloseTo(0.04231930477165591, CLOSE);
        assertThat(relative.high()).isCloseTo(0.18459973901311866, CLOSE);

        Effect absolute = Effect.between(Estimate.ofTrials(Scale.ABSOLUTE, A), Estimate.ofTrials(Scale.ABSOLUTE, B));
        assertThat(absolute.change()).isCloseTo(1.125, CLOSE);
        assertThat(absolute.low()).isCloseTo(0.44133251339111235, CLOSE);
        assertThat(absolute.high()).isCloseTo(1.8086674866088912, CLOSE);
    }

    /** 56 of 70 against 48 of 80: Newcombe (1998), table II, method 10: 0.0524 to 0.3339. */
    @Test
    void ofPartsIsNewcombesInterval() {
        Effect effect = Effect.between(part(48, 80), part(56, 70));
        assertThat(effect.change()).isCloseTo(0.2, CLOSE);
        assertThat(effect.low()).isCloseTo(0.0524, within(5e-5));
        assertThat(effect.high()).isCloseTo(0.3339, within(5e-5));
    }

    /** Trials that all have the same part, so that only chance is left. */
    private static Estimate part(long failed, long requests) {
        return Estimate.ofParts(new long[] {failed / 2, failed / 2}, new long[] {requests / 2, requests / 2});
    }

    @Test
    void trialsThatDifferWidenTheInterval() {
        Estimate agreeing = Estimate.ofParts(new long[] {100, 100, 100}, new long[] {1_000, 1_000, 1_000});
        Estimate differing = Estimate.ofParts(new long[] {0, 100, 200}, new long[] {1_000, 1_000, 1_000});
        assertThat(agreeing.degreesOfFreedom()).isInfinite();
        assertThat(differing.degreesOfFreedom()).isEqualTo(2);
        assertThat(differing.value()).isCloseTo(0.1, CLOSE);
        assertThat(differing.interval().high()).isCloseTo(0.1 + 4.302653 * 0.1 / Math.sqrt(3), CLOSE);
    }

    /** 3.8416 / (1000 + 3.8416): what no failure among a thousand leaves possible. */
    @Test
    void zeroFailuresStillHaveAnUpperBound() {
        Estimate none = Estimate.ofParts(new long[] {0, 0}, new long[] {400, 600});
        assertThat(none.interval().low()).isZero();
        assertThat(none.interval().high()).isCloseTo(0.0038269, CLOSE);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    void ofEqualTrialsHasNoChangeInItIn95Of100Cases(int trials) {
        Random random = new Random(trials);
        int covered = 0;
        for (int i = 0; i < 4_000; i++) {
            Effect effect = Effect.between(
                    Estimate.ofTrials(Scale.RELATIVE, skewed(random, trials)),
                    Estimate.ofTrials(Scale.RELATIVE, skewed(random, trials)));
            covered += effect.low() <= 0 && 0 <= effect.high() ? 1 : 0;
        }
        assertThat(covered / 4_000.0).isBetween(0.945, 0.985);
    }

    private static double[] skewed(Random random, int trials) {
        return random.doubles(trials).map(u -> 1 - 0.1 * Math.log(u)).toArray();
    }

    /** Two runs of a server whose seconds resemble each other, without any other difference. */
    @Test
    void ofEqualRunsHasNoChangeInItIn95Of100Cases() {
        Random random = new Random(10);
        int covered = 0;
        for (int i = 0; i < 400; i++) {
            Effect effect = Effect.between(p95(random), p95(random));
            covered += effect.low() <= 0 && 0 <= effect.high() ? 1 : 0;
        }
        assertThat(covered / 400.0).isBetween(0.93, 1.0);
    }

    /** The p95 of 60 s with 200 exponential times each, whose mean wanders from second to second. */
    private static Estimate p95(Random random) {
        double[][] seconds = new double[60][200];
        double wander = 0;
        for (double[] second : seconds) {
            wander = 0.5 * wander + 0.05 * random.nextGaussian();
            double mean = Math.exp(wander);
            Arrays.setAll(second, i -> -mean * Math.log(1 - random.nextDouble()));
        }
        double[] sorted =
                Arrays.stream(seconds).flatMapToDouble(Arrays::stream).sorted().toArray();
        double p95 = sorted[(int) (0.95 * sorted.length) - 1];
        double[] atMost = new double[60];
        double[] requests = new double[60];
        for (int i = 0; i < 60; i++) {
            atMost[i] = Arrays.stream(seconds[i]).filter(x -> x <= p95).count();
            requests[i] = 200;
        }
        BatchMeans means = BatchMeans.of(atMost, requests).orElseThrow();
        return Estimate.ofQuantile(
                        0.95, p -> sorted[Math.max(0, (int) Math.ceil(p * sorted.length) - 1)], means, sorted.length)
                .orElseThrow();
    }

    @Test
    void aPercentileNeedsEnoughIndependentSamples() {
        double[] sums = new double[10];
        double[] weights = new double[10];
        Arrays.fill(weights, 100);
        Arrays.setAll(sums, i -> 99);
        BatchMeans steady = BatchMeans.of(sums, weights).orElseThrow();
        assertThat(Estimate.ofQuantile(0.99, p -> 1 + p, steady, 1_000)).isPresent();
        assertThat(Estimate.ofQuantile(0.99, p -> 1 + p, steady, 562)).isEmpty();
        // All that is slow is in one second.
        Arrays.setAll(sums, i -> i == 4 ? 90 : 100);
        BatchMeans burst = BatchMeans.of(sums, weights).orElseThrow();
        assertThat(Estimate.ofQuantile(0.99, p -> 1 + p, burst, 1_000)).isEmpty();
    }

    /** The p50 of 1,000 samples lies between their ranks 469 and 532 (see QuantileRanks). */
    @Test
    void aPercentilesErrorIsThatOfTheOrderStatisticsAroundIt() {
        Estimate median = Estimate.ofQuantile(0.5, p -> 1 + p, new BatchMeans(0.5, 0, 12), 1_000)
                .orElseThrow();
        assertThat(median.value()).isCloseTo(1.5, CLOSE);
        assertThat(median.errorBelow()).isCloseTo(Math.log(1.5 / 1.469) / 1.96, CLOSE);
        assertThat(median.errorAbove()).isCloseTo(Math.log(1.532 / 1.5) / 1.96, CLOSE);
        assertThat(median.degreesOfFreedom()).isEqualTo(11);
    }

    /**
     * Newcombe: Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I,
     * method 3. So many batches that Student's factor is that of a normal distribution.
     */
    @ParameterizedTest
    @CsvSource({"81, 263, 0.2553, 0.3662", "15, 148, 0.0624, 0.1605", "0, 20, 0, 0.1611", "1, 29, 0.0061, 0.1718"})
    void theFailedShareHasWilsonsInterval(long failed, long samples, double low, double high) {
        BatchMeans part = new BatchMeans((double) failed / samples, 0, 10_000_000);
        ConfidenceInterval interval = Estimate.ofPart(part, samples).interval();
        assertThat(interval.low()).isCloseTo(low, within(5e-5));
        assertThat(interval.high()).isCloseTo(high, within(5e-5));
    }

    /** As Wilson's of 20 samples, but the series is from ten batches: t of 9 instead of 1.96. */
    @Test
    void aShortOrUnevenSeriesWidensTheInterval() {
        Estimate none = Estimate.ofPart(new BatchMeans(0, 0, 10), 20);
        assertThat(none.degreesOfFreedom()).isEqualTo(9);
        assertThat(none.interval().high()).isCloseTo(0.1611 * 2.262157 / 1.96, within(1e-4));
        // Seconds that differ by more than chance: a fifth of 1,000 is known as if of 64.
        Estimate bursts = Estimate.ofPart(new BatchMeans(0.2, 0.0499, 10), 1_000);
        assertThat(bursts).isEqualTo(Estimate.ofPart(new BatchMeans(0.2, 0, 10), 64));
    }

    /** Without any error there is nothing to be uncertain of. */
    @Test
    void identicalTrialsHaveNoError() {
        Effect effect =
                Effect.between(Estimate.ofTrials(Scale.ABSOLUTE, 4, 4), Estimate.ofTrials(Scale.ABSOLUTE, 6, 6, 6));
        assertThat(effect).isEqualTo(new Effect(Scale.ABSOLUTE, 2, 2, 2));
    }

    @Test
    void aRatesErrorIsRelative() {
        double[] requests = {7, 2, 10, 1, 5, 3, 9, 4, 8, 6};
        double[] seconds = new double[10];
        Arrays.fill(seconds, 0.5);
        Estimate rate = Estimate.ofRate(BatchMeans.of(requests, seconds).orElseThrow());
        assertThat(rate.value()).isCloseTo(11, CLOSE);
        assertThat(rate.errorAbove()).isCloseTo(0.957427107756338 / 5.5, CLOSE);
        assertThat(rate.degreesOfFreedom()).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({
        // low, high, tolerance, throughput, time
        "-0.02, 0.03, 0.05, SAME, SAME",
        "0.01, 0.03, 0.05, SAME, SAME",
        "-0.05, 0.05, 0.05, SAME, SAME",
        "0.01, 0.06, 0.05, BETTER, WORSE",
        "0.08, 0.10, 0.05, BETTER, WORSE",
        "-0.10, -0.01, 0.05, WORSE, BETTER",
        "-0.01, 0.06, 0.05, UNDECIDED, UNDECIDED",
        "-0.10, 0.03, 0.05, UNDECIDED, UNDECIDED",
        "0, 0.06, 0.05, UNDECIDED, UNDECIDED",
        "-0.06, 0, 0.05, UNDECIDED, UNDECIDED",
        "0, 0, 0, SAME, SAME"
    })
    void aWordSaysWhereTheIntervalIs(double low, double high, double tolerance, Word throughput, Word time) {
        Effect effect = new Effect(Scale.RELATIVE, (low + high) / 2, low, high);
        assertThat(effect.word(tolerance, Better.MORE)).isEqualTo(throughput);
        assertThat(effect.word(tolerance, Better.LESS)).isEqualTo(time);
    }

    @Test
    void isWorseOnlyIfTheWholeIntervalIs() {
        Effect slower = new Effect(Scale.RELATIVE, 0.08, 0.06, 0.10);
        assertThat(slower.isWorseBy(0.05, Better.LESS)).isTrue();
        assertThat(slower.isWorseBy(0.06, Better.LESS)).isFalse();
        assertThat(slower.isWorseBy(0.07, Better.LESS)).isFalse();
        assertThat(slower.isWorseBy(0.05, Better.MORE)).isFalse();
        Effect fewer = new Effect(Scale.RELATIVE, -0.08, -0.10, -0.06);
        assertThat(fewer.isWorseBy(0.05, Better.MORE)).isTrue();
        assertThat(fewer.isWorseBy(0.06, Better.MORE)).isFalse();
        assertThat(fewer.isWorseBy(0.07, Better.MORE)).isFalse();
    }

    @Test
    void rejectsInvalidTrialsAndScales() {
        assertThatThrownBy(() -> Estimate.ofTrials(Scale.RELATIVE, 1)).hasMessage("1 values: expected two or more");
        assertThatThrownBy(() -> Estimate.ofTrials(Scale.RELATIVE, 1, 0))
                .hasMessage("value 0.0: expected a number above 0");
        assertThatThrownBy(() -> Estimate.ofTrials(Scale.ABSOLUTE, 1, Double.NaN))
                .hasMessage("value NaN: expected a number");
        assertThatThrownBy(() ->
                        Effect.between(Estimate.ofTrials(Scale.RELATIVE, A), Estimate.ofTrials(Scale.ABSOLUTE, A)))
                .hasMessage("scale ABSOLUTE: expected RELATIVE");
    }
}
