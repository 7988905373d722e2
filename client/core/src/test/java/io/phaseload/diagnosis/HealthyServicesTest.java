package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Pool;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Outcome;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services without a fault whose figures have something that rules look for, with random parameters. */
@Tag("slow")
class HealthyServicesTest {

    private static final int RUNS = 20;

    private static Answer success(double millis) {
        return new Answer(Outcome.SUCCESS, millis, false);
    }

    /** The ids of what is found in several runs. */
    private static Stream<String> found(UnaryOperator<SimulatedPhase> service) {
        return Stream.iterate(1L, seed -> seed + 1).limit(RUNS).flatMap(seed -> {
            // Neighbouring seeds begin with nearly the same number.
            SimulatedPhase phase = service.apply(new SimulatedPhase(seed * 0x9E3779B97F4A7C15L));
            return Diagnoses.of(new RunSeries(List.of(phase.series()), false, false)).stream()
                    .map(Diagnosis::id);
        });
    }

    private static Rate rate(double perSecond) {
        return Rate.perSecond(Math.round(perSecond));
    }

    private static Schedule rising(SimulatedPhase phase) {
        return new RampArrivals(rate(phase.between(8, 20)), rate(phase.between(80, 200)), Duration.ofSeconds(9));
    }

    /** A line is sometimes long by chance. */
    @Test
    void workersWhoAreBusyMostOfTheTime() {
        assertThat(found(phase -> {
                    int workers = phase.whole(2, 6);
                    double millis = phase.between(10, 50);
                    Pool pool = new Pool(workers);
                    double busy = phase.between(0.5, 0.85);
                    return phase.seconds(8)
                            .at(new PoissonArrivals(rate(busy * workers * 1_000 / millis), phase.random.nextLong()))
                            .of(asked -> success(pool.millis(asked.atMillis(), millis * phase.between(0.5, 1.5))));
                }))
                .isEmpty();
    }

    @Test
    void workersWhoAreBusyMostOfTheTimeAtAnEvenRate() {
        assertThat(found(phase -> {
                    int workers = phase.whole(1, 6);
                    double millis = phase.between(10, 50);
                    Pool pool = new Pool(workers);
                    double busy = phase.between(0.5, 0.95);
                    return phase.seconds(8)
                            .at(new ConstantArrivals(rate(busy * workers * 1_000 / millis)))
                            .of(asked -> success(
                                    pool.millis(asked.atMillis(), -millis * Math.log(1 - phase.random.nextDouble()))));
                }))
                .isEmpty();
    }

    /** Their ends are as even as those of one worker. */
    @Test
    void usersWhoseRequestsAlwaysTakeTheSameTime() {
        assertThat(found(phase -> {
                    double millis = phase.between(20, 200);
                    phase.users = phase.whole(4, 30);
                    phase.startMillis = phase.chance(0.5) ? millis : 2_000;
                    boolean other = phase.chance(0.5);
                    return phase.thinking(0, 0)
                            .asking("GET /a", "GET /b")
                            .of(asked -> success(other && asked.count() % 2 == 0 ? 5 : millis));
                }))
                .isEmpty();
    }

    /** Their number follows the rate, later. */
    @Test
    void longResponsesUnderARisingRate() {
        assertThat(found(phase -> {
                    double more = phase.between(200, 900);
                    return phase.seconds(9)
                            .at(rising(phase))
                            .of(asked -> success(300 + more * phase.random.nextDouble()));
                }))
                .isEmpty();
    }

    @Test
    void aShareOfMissingItemsUnderARisingRate() {
        assertThat(found(phase -> {
                    double share = phase.between(0.08, 0.2);
                    return phase.seconds(9)
                            .at(rising(phase))
                            .of(asked -> phase.chance(share) ? phase.http(404) : phase.ok());
                }))
                .isEmpty();
    }

    /** One in 12 to 20 pages is made anew. */
    @Test
    void aCacheThatLacksAFewPages() {
        assertThat(found(phase -> {
                    double share = phase.between(0.05, 0.08);
                    phase.seconds(9).at(new PoissonArrivals(rate(phase.between(80, 120)), phase.whole(1, 99)));
                    return phase.of(
                            asked -> success(phase.chance(share) ? phase.between(45, 65) : phase.between(6, 11)));
                }))
                .doesNotContain("two-speeds");
    }

    /** One in 17 products has many variants. */
    @Test
    void aFewLongResponsesThatTakeLonger() {
        assertThat(found(phase -> {
                    phase.seconds(9).at(new PoissonArrivals(rate(phase.between(80, 120)), phase.whole(1, 99)));
                    return phase.ofItems(300)
                            .ofBytes(item -> item % 17 == 0 ? 16_000 : 1_800)
                            .of(asked ->
                                    success(asked.item() % 17 == 0 ? phase.between(110, 130) : phase.between(6, 11)));
                }))
                .doesNotContain("two-speeds");
    }

    /** All who wait for a room's next message get it at once, or after 2 s an empty response. */
    @Test
    void pollsThatEndWithoutNews() {
        assertThat(found(phase -> {
                    phase.users = 25;
                    double quiet = 1_000 * phase.between(3, 6);
                    return phase.seconds(10).thinking(10, 40).of(asked -> {
                        double next = 160 - asked.atMillis() % 160;
                        boolean none = asked.atMillis() + next > quiet && asked.atMillis() < quiet;
                        return new Answer(
                                Outcome.SUCCESS, none ? 204 : 200, (none ? 2_000 : next) + phase.between(1, 4), false);
                    });
                }))
                .isEmpty();
    }

    /** The median falls at once, when half of the requests find their entry. */
    @Test
    void aCacheThatFills() {
        assertThat(found(phase -> {
                    int entries = phase.whole(40, 300);
                    Set<Integer> known = new HashSet<>();
                    return phase.seconds(8)
                            .at(new ConstantArrivals(rate(phase.between(60, 150))))
                            .of(asked -> success(phase.between(4, 10)
                                    + (known.add(phase.random.nextInt(entries)) ? phase.between(25, 45) : 0)));
                }))
                .doesNotContain("slow-start", "drift", "slow-period");
    }

    /** Up and down by half, without a trend. */
    @Test
    void timesThatWander() {
        assertThat(found(phase -> {
                    double mean = phase.between(15, 40);
                    double step = phase.between(0.03, 0.08);
                    double[] levels = new double[200];
                    for (int i = 1; i < levels.length; i++) {
                        double next = 0.97 * levels[i - 1] + step * phase.random.nextGaussian();
                        levels[i] = Math.max(-0.4, Math.min(0.4, next));
                    }
                    return phase.seconds(8)
                            .at(new ConstantArrivals(rate(phase.between(40, 150))))
                            .of(asked -> success(mean
                                    * Math.exp(
                                            levels[(int) asked.atMillis() / 50] + 0.35 * phase.random.nextGaussian())));
                }))
                .isEmpty();
    }

    @Test
    void aHeavyTailOfFewUsers() {
        assertThat(found(phase -> {
                    double sigma = phase.between(1.2, 1.6);
                    phase.users = phase.whole(2, 5);
                    return phase.seconds(9)
                            .of(asked -> success(Math.min(4_000, 40 * Math.exp(sigma * phase.random.nextGaussian()))));
                }))
                .isEmpty();
    }

    /** Their first requests wait for each other. */
    @Test
    void usersWhoPauseAndBeginAtOnce() {
        assertThat(found(phase -> {
                    phase.users = phase.whole(20, 40);
                    Pool pool = new Pool(phase.whole(1, 2));
                    double millis = phase.between(8, 15);
                    return phase.seconds(8)
                            .thinking(500, 1_500)
                            .of(asked -> success(pool.millis(asked.atMillis(), millis * phase.between(0.5, 1.5))));
                }))
                .isEmpty();
    }

    /** Pauses of 15 to 25 ms. */
    @Test
    void aCollectorThatStopsShortly() {
        assertThat(found(phase -> {
                    double every = phase.between(400, 1_200);
                    double pause = phase.between(15, 25);
                    phase.users = phase.whole(15, 35);
                    double millis = phase.between(3, 12);
                    return phase.seconds(8).thinking(0, phase.between(1, 30)).of(asked -> {
                        double took = millis * phase.between(0.8, 1.2);
                        double since = (asked.atMillis() + took) % every;
                        return success(since < pause ? took + pause - since : took);
                    });
                }))
                .isEmpty();
    }

    /** The slower operation always comes after a pause, the other one at once, or it waits. */
    @Test
    void aSlowOperationAfterPauses() {
        assertThat(found(phase -> {
                    double slow = phase.between(140, 190);
                    Pool pool = new Pool(1);
                    return phase.seconds(9)
                            .asking("GET /a", "GET /b")
                            .at(new ConstantArrivals(rate(5)))
                            .of(asked -> success(pool.millis(
                                    asked.atMillis(),
                                    asked.count() % 2 == 1
                                            ? slow * phase.between(0.3, 1.7)
                                            : 2 * Math.exp(phase.random.nextGaussian()))));
                }))
                .isEmpty();
    }

    @Test
    void fastRequestsThatWaitForSlowOnesNowAndThen() {
        assertThat(found(phase -> {
                    Pool pool = new Pool(4);
                    double slow = phase.between(150, 300);
                    double busy = phase.between(0.5, 0.7);
                    return phase.seconds(14)
                            .asking("GET /a", "GET /b")
                            .at(new ConstantArrivals(rate(busy * 4 * 2_000 / (slow + 20))))
                            .of(asked -> success(pool.millis(
                                    asked.atMillis(),
                                    asked.count() % 2 == 1
                                            ? -slow * Math.log(1 - phase.random.nextDouble())
                                            : 20 * phase.between(0.5, 1.5))));
                }))
                .isEmpty();
    }

    /** Up and down faster, for a short time. */
    @Test
    void timesThatWanderInAShortPhase() {
        assertThat(found(phase -> {
                    double mean = phase.between(15, 40);
                    double[] level = {0, 0};
                    return phase.seconds(4)
                            .at(new PoissonArrivals(rate(phase.between(40, 90)), phase.random.nextLong()))
                            .of(asked -> {
                                for (; level[1] < asked.atMillis(); level[1] += 50) {
                                    level[0] = Math.max(
                                            -0.4, Math.min(0.4, level[0] + 0.12 * phase.random.nextGaussian()));
                                }
                                return success(mean * Math.exp(level[0] + 0.35 * phase.random.nextGaussian()));
                            });
                }))
                .isEmpty();
    }

    /** The default of many servers, at a low rate. */
    @Test
    void connectionsThatEndAfterSomeRequests() {
        assertThat(found(phase -> {
                    int most = phase.whole(24, 40);
                    return phase.seconds(8)
                            .at(new ConstantArrivals(rate(phase.between(15, 60))))
                            .of(asked -> new Answer(
                                    Outcome.SUCCESS, 10 * phase.between(0.5, 1.5), asked.place() + 1 == most));
                }))
                .isEmpty();
    }

    /** A cold target stands still or is slow for a while, which a warmup is for. */
    @ParameterizedTest
    @CsvSource({"true, standstill", "false, slow-period"})
    void aColdTargetInAWarmup(boolean stands, String id) {
        UnaryOperator<SimulatedPhase> cold = phase -> phase.thinking(5, 20).of(asked -> {
            boolean within = asked.atMillis() > 1_000 && asked.atMillis() < 1_700;
            double usual = phase.usual();
            return success(!within ? usual : stands ? 1_700 + usual - asked.atMillis() : 12 * usual);
        });
        PhaseSeries slow = cold.apply(new SimulatedPhase(1)).series();
        PhaseSeries usual =
                new SimulatedPhase(2).thinking(5, 20).of(asked -> success(8)).series();

        assertThat(Diagnoses.of(new RunSeries(List.of(slow), false, false)))
                .extracting(Diagnosis::id)
                .containsExactly(id);
        assertThat(Diagnoses.of(new RunSeries(List.of(named("warmup", slow), usual), false, false)))
                .isEmpty();
    }

    private static PhaseSeries named(String name, PhaseSeries of) {
        return new PhaseSeries(
                of.words(),
                name,
                of.users(),
                of.wall(),
                of.load(),
                of.responseTimeout(),
                of.names(),
                of.operations(),
                of.all(),
                of.seconds(),
                of.facts());
    }
}
