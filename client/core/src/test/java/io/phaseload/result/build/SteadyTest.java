package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyTest {

    private static final Load OPEN = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE);

    /** A first and a last second that don't count, and these between them. */
    private static Optional<Finding> judge(Load load, long... requests) {
        List<Second> seconds = IntStream.range(0, requests.length + 2)
                .mapToObj(i -> new Second(
                        Duration.ofSeconds(i),
                        Duration.ofSeconds(1),
                        i == 0 || i > requests.length ? 0 : requests[i - 1],
                        Map.of(),
                        List.of(),
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of()))
                .toList();
        Duration wall = Duration.ofSeconds(seconds.size());
        return Steady.judge(new PhaseSeries(
                Wording.REQUESTS, "peak", 4, wall, load, wall, List.of(), List.of(), new Tally(), seconds, List.of()));
    }

    private static Optional<Finding> judge(long... requests) {
        return judge(Load.Closed.AT_ONCE, requests);
    }

    @Test
    void aPhaseThatGetsFasterOrSlowerIsARemark() {
        Finding faster = judge(1_000, 1_100, 1_050, 2_000, 3_000, 3_500, 3_600, 3_700, 3_900)
                .orElseThrow();
        assertThat(faster.severity()).isEqualTo(Verdict.Status.VALID);
        assertThat(faster.text())
                .startsWith(
                        "peak: not steady: the last third has 3.6 times the throughput of the first (3733 and 1050");
        assertThat(judge(3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 1_000, 1_000, 1_000)
                        .orElseThrow()
                        .text())
                .contains("0.3 times");
    }

    @Test
    void aPauseOrALittleMoreIsNone() {
        assertThat(judge(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 0, 0, 1_000)).isEmpty();
        assertThat(judge(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_490, 1_490, 1_490))
                .isEmpty();
        assertThat(judge(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_510, 1_510, 1_510))
                .isPresent();
        assertThat(judge(1_000, 1_000, 1_000, 1_000, 3_000, 3_000, 3_000, 3_000))
                .isEmpty();
        assertThat(judge(2, 3, 2, 4, 4, 4, 7, 7, 7)).isEmpty();
    }

    /** The plan changes the rate itself. */
    @Test
    void aRampAndAGivenRateAreNone() {
        Load ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofSeconds(9));
        for (Load load : List.of(ramp, OPEN)) {
            assertThat(judge(load, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000, 3_000, 3_000, 3_000))
                    .isEmpty();
        }
    }

    /** Rates of healthy services vary by a quarter, and a busy machine takes half of some seconds. */
    @Test
    void noHealthyPhaseIsAccused() {
        Random random = new Random(7);
        int accused = 0;
        for (int run = 0; run < 5_000; run++) {
            double rate = Math.exp(random.nextDouble(2, 10));
            long[] requests = IntStream.range(0, random.nextInt(9, 60))
                    .mapToDouble(i -> rate * (1 + 0.25 * random.nextGaussian()) * (random.nextInt(8) == 0 ? 0.5 : 1))
                    .mapToLong(of -> Math.max(0, Math.round(of + Math.sqrt(rate) * random.nextGaussian())))
                    .toArray();
            accused += judge(requests).isPresent() ? 1 : 0;
        }
        assertThat(accused).isLessThan(5);
    }
}
