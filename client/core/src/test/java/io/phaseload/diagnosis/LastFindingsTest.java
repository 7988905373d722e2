package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Pool;
import io.phaseload.measure.Outcome;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said where no rule for a cause finds anything. */
class LastFindingsTest {

    private static SimulatedPhase phase(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).ofItems(40).thinking(40, 160);
        phase.users = 15;
        return phase;
    }

    private static SimulatedPhase atRate(long seed, boolean random) {
        Rate rate = Rate.perSecond(100);
        return new SimulatedPhase(seed)
                .seconds(8)
                .at(random ? new PoissonArrivals(rate, seed) : new ConstantArrivals(rate));
    }

    private static Answer took(double millis) {
        return new Answer(Outcome.SUCCESS, millis, false);
    }

    private static void onlyPossible(SimulatedPhase phase, String id, String part) {
        List<Diagnosis> found = phase.diagnoses();
        assertThat(found).extracting(Diagnosis::id).containsExactly(id);
        assertThat(found.get(0).confidence()).isEqualTo(Confidence.POSSIBLE);
        assertThat(found.get(0).text()).contains(part);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 409, 500})
    void failuresThatComeAndGoAreSaid(int status) {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase wave = phase(seed);
            wave.of(asked -> wave.chance(0.2 + 0.2 * Math.sin(asked.atMillis() / 500)) ? wave.http(status) : wave.ok());
            onlyPossible(wave, "steady-failures", "'http " + status + "', at some times far more than at others");
        }
    }

    /** Another rule needs more seconds. */
    @Test
    void failuresFromALateMomentOnAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase late = phase(seed);
            late.of(asked -> asked.atMillis() > 5_500 && late.chance(0.3) ? late.http(500) : late.ok());
            onlyPossible(late, "steady-failures", " s into the run on");
        }
    }

    @Test
    void conflictsFromAMomentOnAreSaid() {
        SimulatedPhase sold = phase(1);
        sold.of(asked -> asked.atMillis() > 4_000 ? sold.http(409) : sold.ok());
        onlyPossible(sold, "steady-failures", "409 says that requests conflict");
    }

    @Test
    void burstsOfConflictsAndThoseAtTheStartAreSaid() {
        for (int from : new int[] {0, 3_000}) {
            SimulatedPhase held = phase(2);
            held.of(asked -> asked.atMillis() >= from && asked.atMillis() < from + 1_600 ? held.http(409) : held.ok());
            onlyPossible(held, "restarts", "in a burst of at most 1.");
        }
    }

    /** The same item is there at one time and not at another; or some items are never there. */
    @Test
    void pathsThatAreFoundSometimesAreNotUnknown() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase sometimes = phase(seed);
            sometimes.of(asked -> sometimes.chance(0.15) ? sometimes.http(404) : sometimes.ok());
            onlyPossible(sometimes, "steady-failures", "about the same share in every second");

            SimulatedPhase few = phase(seed);
            few.of(asked -> few.chance(0.03) ? few.http(404) : few.ok());
            assertThat(few.diagnoses()).isEmpty();

            SimulatedPhase gone = phase(seed);
            gone.of(asked -> asked.item() % 7 == 1 ? gone.http(404) : gone.ok());
            assertThat(gone.diagnoses()).isEmpty();
        }
    }

    /** The client may have made them itself. */
    @Test
    void timeoutsOfALimitedClientAreNotSaid() {
        SimulatedPhase slow = phase(3);
        slow.timeoutMillis = 500;
        slow.of(asked -> slow.chance(0.1 + 0.1 * Math.sin(asked.atMillis() / 500)) ? took(2_000) : slow.ok());
        assertThat(slow.diagnoses(true, Set.of()))
                .extracting(Diagnosis::id)
                .doesNotContain("steady-failures", "restarts");
    }

    @Test
    void redirectsOfAShareFromAMomentOnAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase some = phase(seed);
            some.of(asked -> asked.atMillis() > 3_000 && some.chance(0.3)
                    ? new Answer(Outcome.SUCCESS, 302, some.usual(), false)
                    : some.ok());
            assertThat(some.diagnoses()).extracting(Diagnosis::id).containsExactly("redirects");
            assertThat(some.diagnoses().get(0).text()).contains("s into the run these were ", ", and before it none");

            SimulatedPhase always = phase(seed);
            always.of(asked ->
                    always.chance(0.3) ? new Answer(Outcome.SUCCESS, 302, always.usual(), false) : always.ok());
            assertThat(always.diagnoses()).isEmpty();
        }
    }

    @Test
    void aShareThatIsSlowForAWhileIsSaid() {
        int said = 0;
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase some = phase(seed);
            some.of(asked -> took(
                    some.usual() * (asked.atMillis() > 3_000 && asked.atMillis() < 4_800 && some.chance(0.6) ? 9 : 1)));
            said += some.diagnoses().stream()
                            .anyMatch(of -> of.id().equals("slow-period")
                                    || of.id().equals("two-speeds")
                                    || of.id().equals("drift"))
                    ? 1
                    : 0;
        }
        assertThat(said).isGreaterThanOrEqualTo(9);
    }

    /** A line of requests that wait grows and shrinks at a busy server; at its start it isn't slow at once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLineThatGrowsAndShrinksIsNoSlowPeriod(boolean random) {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase busy = atRate(seed, random);
            Pool worker = new Pool(1);
            busy.of(asked -> took(worker.millis(asked.atMillis(), -8.2 * Math.log(1 - busy.random.nextDouble()))));
            assertThat(busy.diagnoses())
                    .filteredOn(of -> of.confidence() == Confidence.POSSIBLE)
                    .isEmpty();
        }
    }

    /** An index falls behind, so what was just made is found later and later. */
    @Test
    void whatIsFoundLessAndLessIsSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase behind = phase(seed).ofItems(1_000);
            behind.of(asked -> asked.atMillis() * (0.06 + 0.02 * (asked.count() % 8)) > behind.between(350, 650)
                    ? behind.http(404)
                    : behind.ok());
            assertThat(behind.diagnoses())
                    .first()
                    .satisfies(found -> assertThat(found.id()).isEqualTo("growing-failures"))
                    .satisfies(found -> assertThat(found.confidence()).isEqualTo(Confidence.POSSIBLE));
        }
    }

    /** A pool begins with few threads and gets more while requests wait. */
    @Test
    void timesThatFallSlowlyAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase few = atRate(seed, false);
            double lasts = few.between(2_200, 2_800);
            few.of(asked -> took(few.usual() + 300 * Math.exp(-asked.atMillis() / lasts)));
            onlyPossible(few, "slow-start", "or got more capacity later");

            SimulatedPhase cold = atRate(seed, false);
            cold.of(asked -> took(cold.usual() + 100 * Math.exp(-asked.atMillis() / 1_000)));
            assertThat(cold.diagnoses())
                    .filteredOn(of -> of.confidence() == Confidence.POSSIBLE)
                    .isEmpty();
        }
    }

    /** Fast ones between show that requests which come at random times don't just wait for each other. */
    @Test
    void aShareThatIsSlowForAWhileIsSaidAtRandomTimes() {
        int said = 0;
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase some = atRate(seed, true);
            some.of(asked -> took(
                    some.usual() * (asked.atMillis() > 3_000 && asked.atMillis() < 4_000 && some.chance(0.6) ? 9 : 1)));
            said += some.diagnoses().isEmpty() ? 0 : 1;
        }
        assertThat(said).isGreaterThanOrEqualTo(8);
    }

    /** Each user's permission is asked for again a second after the last time. */
    @Test
    void slowOnesOfUsersWhoCameTogetherAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase allowed = phase(seed);
            double[] until = new double[allowed.users];
            allowed.of(asked -> {
                boolean slow = asked.atMillis() > until[asked.user()];
                until[asked.user()] = slow ? asked.atMillis() + 1_300 : until[asked.user()];
                return took(allowed.between(8, 22) + (slow ? 240 : 0));
            });
            onlyPossible(allowed, "slow-period", " more, ");
        }
    }

    /** A permission is asked for again some time after the last time, and meanwhile some wait for it. */
    @Test
    void slowOnesInBurstsAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase allowed = atRate(seed, false);
            double[] begin = {600};
            allowed.of(asked -> {
                begin[0] += asked.atMillis() > begin[0] + 100 ? allowed.between(400, 900) : 0;
                boolean slow = asked.atMillis() > begin[0] && allowed.chance(0.6);
                return took(allowed.between(8, 22) + (slow ? 240 : 0));
            });
            onlyPossible(allowed, "two-speeds", "these come in bursts");
        }
    }

    /** A job runs now and then, for as long as it likes, and what some requests need waits for it. */
    @Test
    void aShareThatIsSlowAtSomeTimesIsSaid() {
        int said = 0;
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase some = phase(seed);
            double[] begins = DoubleStream.iterate(some.between(900, 1_800), at -> at + some.between(1_000, 2_600))
                    .limit(5)
                    .toArray();
            double[] lasts = some.random.doubles(begins.length, 150, 450).toArray();
            some.of(asked -> {
                boolean busy = IntStream.range(0, begins.length)
                        .anyMatch(i -> asked.atMillis() >= begins[i] && asked.atMillis() < begins[i] + lasts[i]);
                return took(some.between(8, 22) + (busy && asked.item() % 4 != 0 ? some.between(90, 400) : 0));
            });
            said += some.diagnoses().stream().anyMatch(of -> of.text().contains(" times more, ")) ? 1 : 0;
        }
        assertThat(said).isGreaterThanOrEqualTo(8);
    }

    /** A proxy writes long answers to its disk first; or long ones just take longer. */
    @Test
    void slowOnesAboveALengthAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase stored = phase(seed).ofItems(1_000).ofBytes(item -> 4_000 + 72 * item);
            stored.of(asked -> took(stored.between(8, 22) + (asked.item() > 850 ? 230 : 0)));
            onlyPossible(stored, "two-speeds", "of about 6");

            SimulatedPhase far = phase(seed).ofItems(1_000).ofBytes(item -> item > 850 ? 2_000_000 : 4_000 + 72 * item);
            far.of(asked -> took(far.between(8, 22) + (asked.item() > 850 ? 230 : 0)));
            assertThat(far.diagnoses()).isEmpty();
        }
    }

    @Test
    void twoSpeedsOfFewRequestsAreSaid() {
        for (int seed = 0; seed < 5; seed++) {
            SimulatedPhase some = phase(seed).asking("GET /items", "GET /prices");
            some.of(asked -> took(some.chance(0.2) ? some.between(70, 90) : some.between(10, 18)));
            onlyPossible(some, "two-speeds", "which of them is slow is random");
        }
    }
}
