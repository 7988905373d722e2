package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RandomPhase;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often the first finding is right, of services with random parameters. */
@Tag("slow")
class CalibrationTest {

    private static final int HEALTHY = 100;
    private static final int FAULTY = 30;
    private static final double RIGHT = 0.9;
    private static final Set<String> STANDING_STILL = Set.of("standstill", "periodic-stalls", "outage");

    private static List<Diagnosis> of(PhaseSeries phase) {
        return Diagnoses.of(new RunSeries(List.of(phase), false, false));
    }

    /** Short runs, so that a seed takes milliseconds. */
    private static RandomPhase random(long seed) {
        RandomPhase choice = new RandomPhase(seed, 1, 0, 0);
        int users = (int) choice.between(6, 30);
        double think = choice.chance(0.5) ? 0 : choice.between(5, 60);
        return new RandomPhase(seed + 1_000_000, users, choice.between(7_000, 11_000), think);
    }

    @Test
    void healthyServicesAreNotAccused() {
        List<String> accused = new ArrayList<>();
        for (int seed = 0; seed < HEALTHY; seed++) {
            RandomPhase phase = random(seed);
            double usual = phase.between(2, 60);
            double sigma = phase.between(0, 0.9);
            double perByte = phase.chance(0.3) ? phase.between(0, 0.005) : 0;
            boolean fixed = phase.chance(0.2);
            double slow = phase.chance(0.1) ? 1_600 / usual : 1;
            PhaseSeries series =
                    phase.series(of -> slow * (usual * (fixed ? 1 : phase.noise(sigma)) + perByte * of.bytes()));
            for (Diagnosis one : of(series)) {
                accused.add(seed + ": " + one.id() + ": " + one.text());
            }
        }
        assertThat(accused).isEmpty();
    }

    /** As few users wait at once by chance, if their slow responses have nothing to do with each other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 12})
    void slowResponsesOfFewUsersArentAStandstill(int users) {
        List<String> accused = new ArrayList<>();
        for (int seed = 0; seed < FAULTY; seed++) {
            RandomPhase phase = new RandomPhase(seed, users, 10_000, seed % 3 == 0 ? 20 : 0);
            double share = phase.between(0.003, 0.03);
            double usual = phase.between(2, 10);
            double slow = phase.between(100, 2_000);
            PhaseSeries series = phase.series(of -> phase.chance(share) ? slow : usual * phase.noise(0.2));
            of(series).stream()
                    .filter(one -> STANDING_STILL.contains(one.id()))
                    .forEach(one -> accused.add(one.id() + ": " + one.text()));
        }
        assertThat(accused).isEmpty();
    }

    /** One user's waiting isn't told from its own slow responses. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6})
    void stallsOfFewUsersAreFound(int users) {
        int found = 0;
        for (int seed = 0; seed < FAULTY; seed++) {
            RandomPhase phase = new RandomPhase(seed, users, 10_000, 0);
            double period = phase.between(1_000, 2_000);
            double stall = phase.between(100, 400);
            double usual = phase.between(2, 10);
            PhaseSeries series = phase.series(asked -> {
                double since = asked.atMillis() % period;
                return (since < stall ? stall - since : 0) + usual * phase.noise(0.2);
            });
            found += of(series).stream().limit(1).map(Diagnosis::id).anyMatch(STANDING_STILL::contains) ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo((int) (FAULTY * RIGHT));
    }

    private static void right(Function<RandomPhase, PhaseSeries> fault, String... expected) {
        List<String> wrong = new ArrayList<>();
        for (int seed = 0; seed < FAULTY; seed++) {
            List<Diagnosis> found = of(fault.apply(random(seed)));
            Set<String> ids = found.stream().limit(1).map(Diagnosis::id).collect(Collectors.toSet());
            if (ids.stream().noneMatch(Arrays.asList(expected)::contains)) {
                wrong.add(seed
                        + ": "
                        + found.stream()
                                .map(one -> one.id() + ": " + one.text())
                                .toList());
            }
        }
        assertThat(wrong).hasSizeLessThanOrEqualTo((int) (FAULTY * (1 - RIGHT)));
    }

    @Test
    void stallsAtEvenDistances() {
        right(
                phase -> {
                    double period = phase.between(600, 2_000);
                    double stall = phase.between(0.1, 0.4) * period;
                    double usual = phase.between(2, 15);
                    return phase.series(of -> {
                        double off = of.atMillis() % period;
                        double wait = off > period - stall ? period - off : 0;
                        return wait + usual * phase.noise(0.3);
                    });
                },
                "periodic-stalls",
                "standstill");
    }

    @Test
    void onePause() {
        right(
                phase -> {
                    double from = phase.between(2_000, 4_000);
                    double pause = phase.between(400, 2_500);
                    double usual = phase.between(2, 15);
                    return phase.series(of -> {
                        boolean in = of.atMillis() > from && of.atMillis() < from + pause;
                        return (in ? from + pause - of.atMillis() : 0) + usual * phase.noise(0.3);
                    });
                },
                "standstill",
                "outage");
    }

    @Test
    void allFailForSomeTime() {
        right(
                phase -> {
                    double from = phase.between(2_000, 4_000);
                    double length = phase.between(1_000, 2_500);
                    double usual = phase.between(2, 15);
                    return phase.failing(
                                    new Outcome.HttpFailure(502),
                                    of -> of.atMillis() > from && of.atMillis() < from + length)
                            .series(of -> usual * phase.noise(0.3));
                },
                "outage");
    }

    @Test
    void slowAtRandomOrByConnection() {
        right(
                phase -> {
                    double share = phase.between(0.06, 0.5);
                    double usual = phase.between(2, 15);
                    // Few at random must be far slower.
                    double slow = usual + 15 + phase.between(share < 0.12 ? 10 : 2, share < 0.12 ? 14 : 8) * usual;
                    boolean byUser = phase.chance(0.5);
                    return phase.series(of -> {
                        boolean isSlow = byUser ? of.user() % 3 == 0 : phase.chance(share);
                        return (isSlow ? slow : usual) * phase.noise(0.1);
                    });
                },
                "two-speeds");
    }

    /** Each at the start, when users come within 0.2 s. */
    @Test
    void slowFirstOverAKeptConnection() {
        right(
                phase -> {
                    RandomPhase all = new RandomPhase((long) phase.between(0, 1e9), 30, 6_000, 20);
                    double slow = phase.between(250, 800);
                    return all.starting(phase.between(30, 200))
                            .series(of -> (of.place() == 0 ? slow : 6) * phase.noise(of.place() == 0 ? 0.005 : 0.3));
                },
                "slow-first-request");
    }

    /** All of them wait for the same moment. */
    @Test
    void slowUntilTheServerIsReady() {
        right(
                phase -> {
                    RandomPhase all = new RandomPhase((long) phase.between(0, 1e9), 30, 6_000, 20);
                    double ready = phase.between(600, 900);
                    return all.starting(phase.between(30, 200))
                            .series(of -> (of.place() == 0 ? ready - of.atMillis() : 0) + 6 * phase.noise(0.3));
                },
                "slow-start");
    }

    @Test
    void slowFirstOverAConnection() {
        right(
                phase -> {
                    int every = (int) phase.between(5, 20);
                    double usual = phase.between(2, 15);
                    double slow = usual * phase.between(4, 12) + 10;
                    return phase.reconnecting(place -> place % every == 0)
                            .series(of -> (of.place() % every == 0 ? slow : usual) * phase.noise(0.2));
                },
                "slow-first-request",
                "keep-alive-limit");
    }

    /** As much slower, from a moment on or more and more. */
    @Test
    void slowerFromAMomentOnOrMoreAndMore() {
        right(
                phase -> {
                    double usual = phase.between(4, 25);
                    double more = phase.between(1.5, 7);
                    double from = phase.between(2_000, 4_500);
                    boolean atOnce = phase.chance(0.5);
                    int only = phase.chance(0.5) ? 0 : -1;
                    return phase.asking("GET /", "POST /").series(of -> {
                        double part = atOnce ? (of.atMillis() > from ? 1 : 0) : of.atMillis() / 7_000;
                        return usual * phase.noise(0.3) * (1 + (of.operation() != only ? more * part : 0));
                    });
                },
                "drift");
    }

    /** More and more that was deleted is read, until it is removed. */
    @Test
    void slowerUntilWhatPiledUpIsRemoved() {
        right(
                phase -> {
                    double usual = phase.between(4, 25);
                    double more = phase.between(3, 9);
                    double until = phase.between(3_500, 5_500);
                    return phase.series(of -> usual
                            * phase.noise(0.3)
                            * (1 + (of.atMillis() < until ? more * of.atMillis() / until : 0)));
                },
                "drift");
    }

    @Test
    void slowForSomeTime() {
        right(
                phase -> {
                    double from = phase.between(1_500, 3_500);
                    double length = phase.between(500, 1_500);
                    double usual = phase.between(4, 15);
                    double slow = phase.between(5, 10);
                    return phase.series(of -> {
                        boolean in = of.atMillis() > from && of.atMillis() < from + length;
                        return usual * phase.noise(0.3) * (in ? slow : 1);
                    });
                },
                "slow-period");
    }

    @Test
    void slowAtEvenDistances() {
        right(
                phase -> {
                    double period = phase.between(900, 1_500);
                    double length = phase.between(0.15, 0.25) * period;
                    double usual = phase.between(4, 10);
                    double slow = phase.between(6, 10);
                    return phase.series(of ->
                            usual * phase.noise(0.3) * ((of.atMillis() + 0.5 * period) % period < length ? slow : 1));
                },
                "periodic-stalls");
    }

    @Test
    void slowUntilWarm() {
        right(
                phase -> {
                    double usual = phase.between(4, 12);
                    double more = phase.between(120, 300);
                    double tau = phase.between(400, 700);
                    return phase.series(of -> usual * phase.noise(0.3) + more * Math.exp(-of.atMillis() / tau));
                },
                "slow-start");
    }

    @Test
    void aThirdFailsInBursts() {
        right(
                phase -> {
                    double length = phase.between(500, 900);
                    double usual = phase.between(4, 15);
                    return phase.failing(
                                    new Outcome.HttpFailure(503),
                                    of -> of.atMillis() > 1_000
                                            && of.atMillis() % 2_200 < length
                                            && of.atMillis() < 5_000
                                            && of.place() % 3 == 0)
                            .series(of -> usual * phase.noise(0.3));
                },
                "restarts");
    }

    @Test
    void aShareFailsFromAMomentOn() {
        right(
                phase -> {
                    RandomPhase all = new RandomPhase((long) phase.between(0, 1e9), 12, 10_000, 20);
                    double from = phase.between(1_500, 4_000);
                    double share = phase.between(0.1, 0.5);
                    return all.failing(new Outcome.HttpFailure(500), of -> of.atMillis() > from && all.chance(share))
                            .series(of -> 8 * phase.noise(0.3));
                },
                "steady-failures");
    }

    @Test
    void oneOperationFailsFromAMomentOn() {
        right(
                phase -> {
                    double from = phase.between(2_000, 4_500);
                    int status = phase.chance(0.5) ? 507 : 401;
                    double usual = phase.between(4, 15);
                    return phase.asking("GET /", "POST /")
                            .failing(new Outcome.HttpFailure(status), of -> of.operation() == 1 && of.atMillis() > from)
                            .series(of -> usual * phase.noise(0.3));
                },
                "outage");
    }

    /** Half of its capacity comes late. */
    @Test
    void slowAtFirstAndThenFast() {
        right(
                phase -> {
                    double until = phase.between(2_000, 5_000);
                    double usual = phase.between(4, 12);
                    double slow = phase.between(7, 12);
                    return phase.series(of -> usual * phase.noise(0.3) * (of.atMillis() < until ? slow : 1));
                },
                "slow-start");
    }

    @Test
    void allFailAtEvenDistances() {
        right(
                phase -> {
                    RandomPhase all = new RandomPhase((long) phase.between(0, 1e9), 20, 9_000, 20);
                    double period = phase.between(1_000, 1_600);
                    double length = phase.between(120, 250);
                    return all.failing(
                                    new Outcome.HttpFailure(500), of -> (of.atMillis() + period / 2) % period < length)
                            .series(of -> 8 * phase.noise(0.3));
                },
                "restarts");
    }

    /** A phase may end in the middle of a burst. */
    @Test
    void tokensExpireAtEvenDistances() {
        right(
                phase -> {
                    RandomPhase all = new RandomPhase((long) phase.between(0, 1e9), 20, 9_000, 20);
                    double period = phase.between(1_200, 2_400);
                    double length = phase.between(200, 450);
                    double begin = phase.between(0, period);
                    return all.asking("GET /account", "GET /items")
                            .failing(
                                    new Outcome.HttpFailure(401),
                                    of -> of.operation() == 0 && (of.atMillis() + begin) % period < length)
                            .series(of -> 8 * phase.noise(0.3));
                },
                "restarts");
    }

    /** A window of a connection that is used up: other requests over it are answered. */
    @Test
    void bodiesAreStuckOverSharedConnections() {
        right(phase -> stuck(phase.asking("GET /", "PUT /").sharing(4)), "unanswered");
        right(phase -> stuck(phase.asking("GET /", "PUT /")), "outage");
    }

    private static PhaseSeries stuck(RandomPhase phase) {
        int most = (int) phase.between(8, 40);
        double timeout = phase.between(700, 1_200);
        return phase.failing(Outcome.NoResponse.READ_TIMEOUT, of -> of.operation() == 1 && of.place() > most)
                .series(of -> of.operation() == 1 && of.place() > most ? timeout : 8 * phase.noise(0.3));
    }
}
