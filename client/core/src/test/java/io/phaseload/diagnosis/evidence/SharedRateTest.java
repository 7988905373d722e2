package io.phaseload.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.recording.SampledRequest;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedRateTest {

    private static final int USERS = 5;
    private static final int RUNS = 100;

    private static long seen(Function<RandomPhase, PhaseSeries> series) {
        return IntStream.range(0, RUNS)
                .mapToObj(seed -> new RandomPhase(seed, USERS, 6_000, 0))
                .filter(phase -> SharedRate.isSeen(series.apply(phase), SampledRequest::bytes))
                .count();
    }

    /** Every half second each user gets another part of 1,000 bytes a millisecond. */
    private static PhaseSeries sharing(RandomPhase phase) {
        double[][] parts = new double[100][USERS];
        for (double[] now : parts) {
            double sum = 0;
            for (int user = 0; user < USERS; user++) {
                now[user] = phase.between(0.3, 1);
                sum += now[user];
            }
            for (int user = 0; user < USERS; user++) {
                now[user] *= 1_000 / sum;
            }
        }
        return phase.series(of -> 1 + of.bytes() / parts[(int) (of.atMillis() / 500)][of.user()]);
    }

    @Test
    void whatIsSharedIsSeen() {
        assertThat(seen(SharedRateTest::sharing)).isGreaterThan(95);
    }

    @Test
    void independentUsersShareNothing() {
        assertThat(seen(phase -> phase.series(of -> 60 * phase.noise(0.5)))).isZero();
        assertThat(seen(phase -> phase.series(of -> 5 + of.bytes() / 50.0))).isZero();
    }
}
