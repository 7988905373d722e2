package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Pool;
import io.phaseload.measure.Outcome;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of two speeds, and what only looks so. */
@Tag("slow")
class SpeedRulesTest {

    /** All wait for a rare one, as those of one thread do. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void waitingBehindALongRequestIsNoSecondSpeed(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).at(new PoissonArrivals(Rate.perSecond(100), seed));
        Pool one = new Pool(1);
        List<Diagnosis> found = phase.of(asked -> {
                    double millis = one.millis(asked.atMillis(), phase.chance(0.008) ? 300 : 0.3);
                    return new Answer(Outcome.SUCCESS, millis + phase.between(4, 12), false);
                })
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).doesNotContain("two-speeds");
    }

    /** A cold client's first requests; or those of a target that isn't ready. */
    @ParameterizedTest
    @CsvSource({"300, 0", "0, 1"})
    void whatWaitsForTheClientIsNoSecondSpeed(double stalled, int said) {
        SimulatedPhase phase = new SimulatedPhase(1).seconds(3).thinking(82, 243);
        phase.users = 20;
        phase.stalledMillis = stalled;
        phase.of(asked -> new Answer(
                Outcome.SUCCESS,
                (stalled > 0 ? asked.atMillis() < stalled : asked.count() % 12 == 1) ? 223 : phase.between(8, 20),
                false));

        assertThat(phase.diagnoses())
                .extracting(Diagnosis::id)
                .filteredOn("two-speeds"::equals)
                .hasSize(said);
    }

    /**
     * A partner's quota is used up now and then, and who is refused asks again a second later; or the network waits.
     */
    @ParameterizedTest
    @CsvSource({"1000, true", "2000, true", "1400, false"})
    void whatTakesWholeSecondsLongerWaitsForATimer(double more, boolean said) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).thinking(500, 900);
            phase.users = 60;
            double first = phase.between(900, 1_300);
            phase.of(asked -> {
                double since = asked.atMillis() - first;
                boolean slow = Stream.of(0, 1_700, 4_600).anyMatch(from -> since > from && since < from + 400);
                return new Answer(Outcome.SUCCESS, phase.between(5, 15) + (slow ? more : 0), false);
            });
            List<Diagnosis> found = phase.diagnoses();

            assertThat(found)
                    .extracting(Diagnosis::text)
                    .filteredOn(text -> text.contains("whole seconds longer"))
                    .hasSize(said ? 1 : 0);
            assertThat(found).extracting(Diagnosis::id).doesNotContain(said ? "slow-period" : "two-speeds");
        }
    }

    /** One of two instances is slow from a moment on, until another one or the end. */
    @ParameterizedTest
    @CsvSource({"8000, true, each user's", "5500, true, from 3.", "5500, false, from 3."})
    void halfThatIsSlowForAWhileIsASecondSpeed(double until, boolean byUser, String said) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).thinking(100, 200);
            phase.users = 16;
            double slow = 20 + phase.between(5, 9) * 20;
            phase.of(asked -> {
                boolean within = asked.atMillis() > 3_000 && asked.atMillis() < until;
                boolean half = byUser ? asked.user() % 2 == 0 : phase.chance(0.5);
                return new Answer(Outcome.SUCCESS, within && half ? slow : phase.between(8, 16), false);
            });
            List<Diagnosis> found = phase.diagnoses();

            assertThat(found.get(0).id()).isIn("two-speeds", "drift");
            assertThat(found.get(0).text() + found.get(0).follows())
                    .contains(said)
                    .contains(byUser ? "each user's responses" : "is random");
        }
    }

    /** An instance that gets ready: while it does, the share of slow requests varies by chance. */
    @Test
    void aPartThatIsSlowForAWhileIsNoDrift() {
        for (int seed = 0; seed < 40; seed++) {
            SimulatedPhase phase =
                    new SimulatedPhase(seed).seconds(9).at(new PoissonArrivals(Rate.perSecond(100), seed));
            double from = phase.between(3_500, 4_500);
            phase.of(asked -> {
                boolean slow = asked.atMillis() > from && asked.atMillis() < from + 2_200 && phase.chance(1 / 3.0);
                return new Answer(Outcome.SUCCESS, phase.between(8, 26) + (slow ? phase.between(400, 520) : 0), false);
            });

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContain("drift");
        }
    }

    /** Caches fill, and servers get ready: what is slow gets less. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void slowOnesThatGetLessAreNoSecondSpeed(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).at(new PoissonArrivals(Rate.perSecond(100), seed));
        double lasts = phase.between(300, 1_500);
        List<Diagnosis> found = phase.of(asked -> {
                    boolean slow = phase.chance(Math.exp(-asked.atMillis() / lasts));
                    return new Answer(Outcome.SUCCESS, (slow ? 90 : 8) * phase.between(0.9, 1.1), false);
                })
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).doesNotContain("two-speeds");
    }

    /** A server may get ready for as long: half is slow until then. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void halfThatIsSlowFromTheStartIsNoSecondSpeed(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).at(new ConstantArrivals(Rate.perSecond(100)));
        phase.of(asked -> {
            boolean slow = asked.atMillis() < 2_000 && phase.chance(0.5);
            return new Answer(Outcome.SUCCESS, (slow ? 90 : 8) * phase.between(0.9, 1.1), false);
        });

        assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContain("two-speeds");
    }
}
