package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.http;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Asked;
import io.phaseload.diagnosis.SimulatedPhase.Pool;
import io.phaseload.diagnosis.evidence.RandomPhase;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Outcome;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Causes that look alike, and the facts that tell them apart. */
@Tag("slow")
class RivalsTest {

    /** What fills up is emptied at even distances. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void sawTeethArePeriodic(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).seconds(9).at(new PoissonArrivals(Rate.perSecond(100), seed));
        double period = phase.between(1_500, 2_000);
        List<Diagnosis> found = phase.of(asked -> new Answer(
                        Outcome.SUCCESS, phase.between(8, 20) + 115 * (asked.atMillis() % period) / period, false))
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).startsWith("periodic-stalls");
    }

    /** One of three instances freezes, and what it has is answered at once afterwards; or in a line, or it is slow. */
    @ParameterizedTest
    @CsvSource({
        "8000, at once, standstill",
        "1900, at once, periodic-stalls",
        "8000, in a line, ''",
        "8000, slow, ''",
    })
    void oneOfThreeThatStandsStillIsSeen(double period, String end, String id) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase =
                    new SimulatedPhase(seed).seconds(9).at(new PoissonArrivals(Rate.perSecond(90), seed));
            double from = phase.between(0.4, 0.6) * Math.min(period, 5_000);
            double length = phase.between(400, 700);
            double[] free = {0};
            phase.of(asked -> {
                double since = asked.atMillis() % period;
                boolean frozen = since > from && since < from + length && phase.chance(1 / 3.0);
                double left = frozen ? from + length - since : 0;
                free[0] = frozen ? Math.max(free[0], asked.atMillis() + left) + 25 : free[0];
                double wait = end.equals("slow")
                        ? (frozen ? phase.between(0.1, 0.9) * length : 0)
                        : end.equals("in a line") && frozen ? free[0] - asked.atMillis() : left;
                return new Answer(Outcome.SUCCESS, wait + phase.between(5, 14), false);
            });
            List<String> found = phase.diagnoses().stream()
                    .map(Diagnosis::id)
                    .filter(Set.of("standstill", "periodic-stalls")::contains)
                    .toList();

            assertThat(found).isEqualTo(id.isEmpty() ? List.of() : List.of(id));
            assertThat(phase.diagnoses()).filteredOn(of -> of.id().equals(id)).allSatisfy(of -> assertThat(of.text())
                    .contains("some requests"));
        }
    }

    /** Four places for a little more than they do; or a list that gets longer; or places that are just enough. */
    @ParameterizedTest
    @CsvSource({"4, 43, 0, saturation", "80, 40, 0.3, drift", "4, 34, 0, ''"})
    void aRateThatIsALittleTooHigh(int places, double millis, double more, String id) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(9).at(new ConstantArrivals(Rate.perSecond(102)));
            Pool pool = new Pool(places);
            phase.of(asked -> new Answer(
                    Outcome.SUCCESS,
                    pool.millis(asked.atMillis(), millis * phase.between(0.5, 1.5) + more * asked.count()),
                    false));

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).isEqualTo(id.isEmpty() ? List.of() : List.of(id));
        }
    }

    /** A backup or a neighbour, while times vary as they always do. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void slowTimesThatVaryAreAPeriod(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).at(new PoissonArrivals(Rate.perSecond(100), seed));
        double from = phase.between(2_000, 5_000);
        List<Diagnosis> found = phase.of(asked -> {
                    boolean slow = asked.atMillis() > from && asked.atMillis() < from + 1_500;
                    double millis = 15 * Math.exp(0.3 * phase.random.nextGaussian());
                    return new Answer(Outcome.SUCCESS, slow ? 4 * millis : millis, false);
                })
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).startsWith("slow-period");
    }

    /** More instances that come a while after the load does, and those that are enough and have a line by chance. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aTargetIsSaturatedUntilItHasBeenScaled(long seed) {
        assertThat(doubled(seed, 1.2, 1.5, 0.1))
                .filteredOn(of -> of.id().equals("saturation"))
                .extracting(Diagnosis::text)
                .singleElement()
                .asString()
                .contains("a second, until ");
        assertThat(doubled(seed, 0.5, 0.93, 1)).isEmpty();
    }

    /** A rate that doubles, and nine instances from some moment on instead of three. */
    private static List<Diagnosis> doubled(long seed, double leastBusy, double mostBusy, double sigma) {
        SimulatedPhase low = new SimulatedPhase(seed);
        SimulatedPhase high = new SimulatedPhase(seed);
        double millis = high.between(25, 60);
        double rate = 3 * high.between(leastBusy, mostBusy) * 1_000 / millis;
        double later = high.between(1_500, 4_500);
        double[] free = new double[9];
        Pool few = new Pool(3);
        return Diagnoses.of(new RunSeries(
                List.of(
                        low.seconds(3)
                                .at(new ConstantArrivals(Rate.perSecond(Math.round(rate / 2))))
                                .of(asked -> new Answer(Outcome.SUCCESS, few.millis(asked.atMillis(), millis), false))
                                .series(),
                        high.seconds(8)
                                .at(new ConstantArrivals(Rate.perSecond(Math.round(rate))))
                                .of(asked -> {
                                    double work = millis
                                            * Math.exp(sigma * high.random.nextGaussian())
                                            / Math.exp(sigma * sigma / 2);
                                    int first = 0;
                                    for (int i = 1; i < (asked.atMillis() < later ? 3 : 9); i++) {
                                        first = free[i] < free[first] ? i : first;
                                    }
                                    free[first] = Math.max(asked.atMillis(), free[first]) + work;
                                    return new Answer(Outcome.SUCCESS, free[first] - asked.atMillis(), false);
                                })
                                .series()),
                false,
                false));
    }

    /** A lock that writes need, and writes that only take as long. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void writesThatWaitForALock(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        double millis = phase.between(8, 15);
        Pool lock = new Pool(1);
        assertThat(writes(phase, atMillis -> lock.millis(atMillis, millis)))
                .extracting(Diagnosis::id)
                .containsExactly("saturation");

        SimulatedPhase other = new SimulatedPhase(seed);
        assertThat(writes(other, atMillis -> 15 * millis * other.between(0.8, 1.2)))
                .isEmpty();
    }

    private static List<Diagnosis> writes(SimulatedPhase phase, DoubleUnaryOperator millis) {
        phase.users = 20;
        return phase.thinking(0, 0)
                .asking("GET /", "POST /")
                .of(asked -> asked.count() % 2 == 0
                        ? phase.ok()
                        : new Answer(Outcome.SUCCESS, millis.applyAsDouble(asked.atMillis()), false))
                .diagnoses();
    }

    /** What takes long by itself does so all along. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void slowResponsesOfTheServiceItselfAreCutOffAtAnyTime(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        phase.timeoutMillis = phase.between(400, 700);
        List<Diagnosis> found = phase.asking("GET /report", "GET /page")
                .of(asked -> new Answer(
                        Outcome.SUCCESS, asked.count() % 2 == 0 ? phase.between(200, 800) : phase.between(3, 8), false))
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("timeout-too-short");
    }

    /** Requests that wait for a place in vain, at a constant rate. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aConstantShareThatWaitsInVainIsNoInstance(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        int count = phase.whole(3, 4);
        List<Diagnosis> found = phase.seconds(8)
                .at(new ConstantArrivals(Rate.perSecond(60)))
                .of(asked -> asked.count() % count == 0
                        ? new Answer(http(500), 500, phase.between(330, 420), false)
                        : new Answer(Outcome.SUCCESS, phase.between(50, 330), false))
                .diagnoses();

        assertThat(Found.confidence(found, "steady-failures")).contains(Confidence.POSSIBLE);
    }

    /** An instance that sleeps when nobody asks. */
    @ParameterizedTest
    @CsvSource({"12, 5", "8, 7", "8, 6"})
    void aPauseBeforeSlowResponsesIsAColdStart(int seconds, int perSecond) {
        int found = 0;
        for (int seed = 1; seed <= 20; seed++) {
            found += sleeping(seed, seconds, perSecond).stream().limit(1).anyMatch(of -> of.id()
                            .equals("cold-starts"))
                    ? 1
                    : 0;
        }

        assertThat(found).isGreaterThanOrEqualTo(15);
    }

    private static List<Diagnosis> sleeping(long seed, int seconds, int perSecond) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        double wake = phase.between(600, 900);
        double[] sleeps = {0, 0};
        return phase.seconds(seconds)
                .at(new PoissonArrivals(Rate.perSecond(perSecond), seed))
                .of(asked -> {
                    if (asked.atMillis() > sleeps[0]) {
                        sleeps[1] = asked.atMillis() + wake;
                    }
                    double took = Math.max(0, sleeps[1] - asked.atMillis()) + phase.between(5, 15);
                    sleeps[0] = Math.max(sleeps[0], asked.atMillis() + took + 250);
                    return new Answer(Outcome.SUCCESS, took, false);
                })
                .diagnoses();
    }

    /** One user's journeys, whose first page makes a session. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aFirstPageThatAlwaysTakesLongerIsNoColdStart(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        phase.users = 1;
        List<Diagnosis> found = phase.seconds(12)
                .asking("new", "items", "prices")
                .of(asked -> {
                    double pause = asked.count() % 3 == 2 ? 600 : 20;
                    phase.thinking(pause, pause);
                    return new Answer(
                            Outcome.SUCCESS,
                            asked.count() % 3 == 0 ? phase.between(150, 300) : phase.between(4, 12),
                            false);
                })
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).doesNotContain("cold-starts");
    }

    /** A replica that is late, and items that aren't there at random. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aRequestThatComesTooSoonAfterAnother(long seed) {
        SimulatedPhase phase = new SimulatedPhase(2 * seed);
        double[] ended = new double[phase.users];
        double late = phase.between(20, 40);
        List<Diagnosis> found = phase.thinking(5, 90)
                .of(asked -> {
                    boolean soon = asked.place() > 0 && asked.atMillis() < ended[asked.user()] + late;
                    Answer answer = soon ? phase.http(404) : phase.ok();
                    ended[asked.user()] = asked.atMillis() + answer.millis();
                    return answer;
                })
                .diagnoses();
        SimulatedPhase random = new SimulatedPhase(2 * seed);

        assertThat(found.get(0))
                .returns("steady-failures", Diagnosis::id)
                .returns(Confidence.LIKELY, Diagnosis::confidence)
                .extracting(Diagnosis::text)
                .asString()
                .contains("what its user has just written");
        assertThat(random.thinking(5, 90)
                        .of(asked -> random.chance(0.3) ? random.http(404) : random.ok())
                        .diagnoses())
                .isEmpty();
    }

    /** Failures that grow with the load, and those of some users' data. */
    @Test
    void moreUsersFailMore() {
        assertThat(found(asked -> asked.count() % 40 == 0, asked -> asked.count() % 5 == 0))
                .filteredOn(of -> of.id().equals("failures-with-load"))
                .extracting(Diagnosis::text)
                .singleElement()
                .asString()
                .startsWith("failures grow between 4 and 14 users");
        assertThat(found(asked -> asked.user() == 9, asked -> asked.user() >= 9))
                .extracting(Diagnosis::id)
                .doesNotContain("failures-with-load");
    }

    private static List<Diagnosis> found(Predicate<Asked> few, Predicate<Asked> many) {
        SimulatedPhase first = new SimulatedPhase(1);
        first.users = 4;
        SimulatedPhase second = new SimulatedPhase(2);
        second.users = 14;
        return Diagnoses.of(new RunSeries(
                List.of(
                        first.of(asked -> few.test(asked) ? first.http(409) : first.ok())
                                .series(),
                        second.of(asked -> many.test(asked) ? second.http(409) : second.ok())
                                .series()),
                false,
                false));
    }

    @Test
    void aSlowStartIsSureIfALaterConnectionIsFast() {
        assertThat(Found.confidence(started(place -> place == 0), "slow-start")).contains(Confidence.POSSIBLE);
        assertThat(Found.confidence(started(place -> place % 10 == 0), "slow-start"))
                .contains(Confidence.LIKELY);
    }

    private static List<Diagnosis> started(IntPredicate connects) {
        RandomPhase phase = new RandomPhase(5, 10, 7_000, 10).starting(1_000).reconnecting(connects);
        return Diagnoses.of(new RunSeries(
                List.of(phase.series(of -> of.atMillis() < 1_000 ? 1_400 : 8 * phase.noise(0.2))), false, false));
    }

    /** A database with few connections fills it again, so that slow ones get fewer. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aCacheThatIsEmptied(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        int pages = phase.whole(120, 250);
        Pool database = new Pool(phase.whole(3, 6));
        double at = phase.between(2_500, 4_000);
        Set<Integer> known = new HashSet<>();
        List<Diagnosis> found = phase.seconds(8)
                .at(new ConstantArrivals(Rate.perSecond(phase.whole(100, 200))))
                .of(asked -> {
                    boolean miss = asked.atMillis() > at && known.add(phase.random.nextInt(pages));
                    double more = miss ? database.millis(asked.atMillis(), phase.between(25, 40)) : 0;
                    return new Answer(Outcome.SUCCESS, phase.between(3, 9) + more, false);
                })
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("slow-period");
    }

    /** Most requests are slow if places are few for long. */
    @ParameterizedTest
    @CsvSource({"10, 0, 1", "10, 0, 2", "10, 0, 3", "10, 0, 4", "8, 1_000, 5", "8, 1_000, 6", "8, 1_000, 7"})
    void placesThatComeAndGo(int seconds, String begin, long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        double since = Double.parseDouble(begin.replace("_", ""));
        double every = since == 0 ? phase.between(900, 1_400) : phase.between(900, 1_150);
        double millis = phase.between(25, 45);
        double[] free = new double[8];
        List<Diagnosis> found = phase.seconds(seconds)
                .at(new ConstantArrivals(Rate.perSecond(Math.round(3.4 * 1_000 / millis))))
                .of(asked -> {
                    int places = (int) ((since + asked.atMillis()) / every) % 2 == 0 ? 8 : 2;
                    int first = 0;
                    for (int i = 1; i < places; i++) {
                        first = free[i] < free[first] ? i : first;
                    }
                    free[first] = Math.max(asked.atMillis(), free[first]) + millis;
                    return new Answer(Outcome.SUCCESS, free[first] - asked.atMillis(), false);
                })
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("periodic-stalls");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aKeyThatOneOfTwoInstancesDoesntGet(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        double at = phase.between(2_500, 3_600);
        List<Diagnosis> found = phase.seconds(7)
                .of(asked -> asked.atMillis() > at && asked.count() % 2 == 0 ? phase.http(401) : phase.ok())
                .diagnosesOfOnePath();

        assertThat(found).hasSize(1);
        assertThat(found.get(0).id()).isEqualTo("steady-failures");
        assertThat(found.get(0).text()).contains("as if 1 of 2 instances failed", " s into the run on");
    }

    @Test
    void failuresThatFewUsersDontHaveAreOfTheLoad() {
        SimulatedPhase few = new SimulatedPhase(1);
        few.users = 4;
        SimulatedPhase many = new SimulatedPhase(2);
        many.users = 14;
        List<Diagnosis> found = Diagnoses.of(new RunSeries(
                List.of(
                        few.of(asked -> few.ok()).series(),
                        many.of(asked -> many.chance(0.9) ? many.http(500) : many.ok())
                                .series()),
                false,
                false));

        assertThat(found).extracting(Diagnosis::id).containsExactly("failures-with-load");
    }
}
