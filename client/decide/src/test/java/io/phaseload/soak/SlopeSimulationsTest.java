package io.phaseload.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.stats.series.Lows;
import io.phaseload.stats.series.Slope;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Healthy and leaking services, 100 seeds each, eight hours or four days of them: the table in {@code docs/soak.md}. A
 * figure is called drifting if the whole interval of its slope is above 1 % of its level an hour, as {@code phaseload
 * soak} does.
 */
class SlopeSimulationsTest {

    private static final double LIMIT_PERCENT = 1;

    private interface Level {
        double at(double hours, double start, Random noise);
    }

    /** Of 100 runs, those whose lows rise; {@code start} is where in its cycle a run begins, from 0 to 1. */
    private static long alarms(int hours, Level level) {
        return IntStream.range(0, 100)
                .filter(seed -> {
                    Random random = new Random(new SplittableRandom(seed).nextLong());
                    double start = random.nextDouble();
                    int n = hours * (hours > 24 ? 10 : 30);
                    double[] at = new double[n];
                    double[] values = new double[n];
                    for (int i = 0; i < n; i++) {
                        at[i] = (double) hours * i / n;
                        values[i] = level.at(at[i], start, random) + 5 * random.nextGaussian();
                    }
                    return Lows.of(at, values)
                            .slope()
                            .filter(SlopeSimulationsTest::isAbove)
                            .isPresent();
                })
                .count();
    }

    private static boolean isAbove(Slope slope) {
        return slope.low() > LIMIT_PERCENT / 100 * slope.first();
    }

    private static double sawtooth(double hours, double period, double start) {
        return 200 + 300 * ((hours / period + start) % 1);
    }

    private static double daily(double hours, double start) {
        return 200 + 60 * Math.sin(2 * Math.PI * (hours / 24 + start));
    }

    @Test
    void healthyServicesAreNoLeak() {
        assertThat(alarms(8, (hours, start, noise) -> sawtooth(hours, 0.6, start)))
                .isLessThanOrEqualTo(5);
        assertThat(alarms(8, (hours, start, noise) -> sawtooth(hours, 2.5, start)))
                .isLessThanOrEqualTo(5);
        assertThat(alarms(8, (hours, start, noise) -> 200 + 20 * noise.nextGaussian()))
                .isLessThanOrEqualTo(5);
        assertThat(alarms(8, (hours, start, noise) -> hours < 3 ? 200 : 260)).isLessThanOrEqualTo(5);
        assertThat(alarms(96, (hours, start, noise) -> daily(hours, start))).isLessThanOrEqualTo(5);
        assertThat(alarms(12, (hours, start, noise) -> daily(hours, start))).isLessThanOrEqualTo(5);
    }

    @Test
    void leaksAreFound() {
        assertThat(alarms(8, (hours, start, noise) -> 200 + 6 * hours)).isGreaterThanOrEqualTo(95);
        assertThat(alarms(8, (hours, start, noise) -> 6 * hours + sawtooth(hours, 0.6, start)))
                .isGreaterThanOrEqualTo(75);
        assertThat(alarms(8, (hours, start, noise) -> 200 + 6 * hours + 20 * noise.nextGaussian()))
                .isGreaterThanOrEqualTo(90);
        assertThat(alarms(96, (hours, start, noise) -> 6 * hours + daily(hours, start)))
                .isGreaterThanOrEqualTo(95);
    }
}
