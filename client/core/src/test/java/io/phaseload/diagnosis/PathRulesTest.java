package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures and slow responses of some of the paths that an operation asks for. */
@Tag("slow")
class PathRulesTest {

    private static List<String> ids(boolean given, PhaseSeries... phases) {
        return Found.ids(given ? Set.copyOf(phases[0].names()) : Set.of(), phases);
    }

    /** Ids that don't exist, as data has them. */
    @Test
    void someUnknownIdsAreNoFault() {
        int accused = 0;
        for (int seed = 0; seed < 100; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed);
            double share = phase.between(0.02, 0.6);
            accused += phase.of(asked -> phase.chance(share) ? phase.http(404) : phase.ok())
                            .diagnoses()
                            .isEmpty()
                    ? 0
                    : 1;
        }
        assertThat(accused).isLessThanOrEqualTo(3);
    }

    /** Of ids that the target itself gave none is unknown. */
    @Test
    void anAddressThatTheTargetGaveShouldExist() {
        SimulatedPhase phase = new SimulatedPhase(1);
        PhaseSeries half = phase.of(asked -> phase.chance(0.5) ? phase.http(404) : phase.ok())
                .series();

        assertThat(ids(false, half)).isEmpty();
        assertThat(ids(true, half)).containsExactly("steady-failures");
    }

    /** A partition of a hot item refuses some of its requests, and a class of items fails each time. */
    @Test
    void pathsThatFailAreSaid() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase hot = new SimulatedPhase(seed).seconds(8).ofItems(6);
            double share = hot.between(0.2, 0.8);
            hot.of(asked -> asked.item() == 3 && hot.chance(share) ? hot.http(400) : hot.ok());
            assertThat(hot.diagnoses().get(0).id()).isEqualTo("steady-failures");
            assertThat(hot.diagnoses().get(0).text()).contains("nearly all of them of '/items/3', which fail in");

            SimulatedPhase some = new SimulatedPhase(seed).seconds(8).ofItems(40);
            some.of(asked -> asked.item() % 4 == 1 ? some.http(500) : some.ok());
            assertThat(some.diagnoses().get(0).text()).contains("of 10 of 40 paths, such as '/items/");

            SimulatedPhase chance = new SimulatedPhase(seed).seconds(8).ofItems(40);
            chance.of(asked -> chance.chance(0.2) ? chance.http(500) : chance.ok());
            assertThat(chance.diagnoses().get(0).text()).doesNotContain("paths", "/items/");

            SimulatedPhase unknown = new SimulatedPhase(seed).seconds(8).ofItems(40);
            unknown.of(asked -> asked.item() % 4 == 1 ? unknown.http(404) : unknown.ok());
            assertThat(unknown.diagnoses()).isEmpty();
        }
    }

    /** Two new nodes of a store have no data yet; or each request asks for something else. */
    @Test
    void pathsThatWereFoundBeforeAreNotUnknown() {
        int accused = 0;
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase lost = new SimulatedPhase(seed).seconds(8).ofItems(40);
            lost.users = 20;
            lost.of(asked -> asked.atMillis() > 3_500 && asked.item() % 4 == 1 ? lost.http(404) : lost.ok());
            SimulatedPhase other = new SimulatedPhase(seed).seconds(8).ofItems(100_000_000);
            other.users = 20;
            other.of(asked -> asked.atMillis() > 3_500 && asked.item() % 4 == 1 ? other.http(404) : other.ok());

            assertThat(lost.diagnoses().get(0).id()).isEqualTo("steady-failures");
            assertThat(lost.diagnoses().get(0).text()).contains(" s into the run on");
            accused += other.diagnoses().get(0).confidence() == Confidence.POSSIBLE ? 0 : 1;
        }
        // A share may happen to be as even as that of one of four instances.
        assertThat(accused).isLessThanOrEqualTo(3);
    }

    /** What has a slash in its name isn't found, though the test knows it; or some other thing is only gone. */
    @Test
    void namesWithACharacterThatIsTurnedAwayAreSaid() {
        for (int seed = 0; seed < 20; seed++) {
            int bad = seed % 10;
            SimulatedPhase slash = new SimulatedPhase(seed).seconds(8).ofItems(10);
            slash.named(item -> item == bad ? "/bands/ac%2Fdc" : "/bands/a%20b" + item)
                    .of(asked -> asked.item() == bad ? slash.http(404) : slash.ok());
            SimulatedPhase gone = new SimulatedPhase(seed).seconds(8).ofItems(10);
            gone.named(item -> "/bands/a%20b" + item).of(asked -> asked.item() == bad ? gone.http(404) : gone.ok());

            assertThat(slash.diagnoses().get(0))
                    .returns("steady-failures", Diagnosis::id)
                    .returns(Confidence.POSSIBLE, Diagnosis::confidence);
            assertThat(slash.diagnoses().get(0).text())
                    .contains("of '/bands/ac%2Fdc', which fail in 100 % and have an encoded character");
            assertThat(gone.diagnoses()).isEmpty();
        }
    }

    /** Something may not be there, but a request that can't be read is wrong. */
    @Test
    void requestsThatAreRefusedForTheirContentAreNamedUnlessTheyAskForSomethingUnknown() {
        for (int status : List.of(400, 405, 413, 422, 431, 404, 410)) {
            SimulatedPhase phase = new SimulatedPhase(status).seconds(8);
            List<Diagnosis> found = phase.of(asked -> phase.chance(0.1) ? phase.http(status) : phase.ok())
                    .diagnoses();

            assertThat(found)
                    .extracting(Diagnosis::id)
                    .isEqualTo(status == 404 || status == 410 ? List.of() : List.of("steady-failures"));
        }
    }

    @Test
    void pathsThatAreSlowAreSaid() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase some = new SimulatedPhase(seed).seconds(8).ofItems(30);
            double more = some.between(150, 300);
            some.of(asked -> new Answer(Outcome.SUCCESS, some.usual() + (asked.item() % 5 == 1 ? more : 0), false));

            assertThat(some.diagnoses().get(0))
                    .returns("two-speeds", Diagnosis::id)
                    .returns(Confidence.LIKELY, Diagnosis::confidence);
            assertThat(some.diagnoses().get(0).text()).contains("those of 6 of 30 paths, such as '/items/");
        }
    }

    /** One of three shards is slow; or a third of all pages is made by a program, and the others are files. */
    @ParameterizedTest
    @CsvSource({"150, two-speeds", "20, "})
    void aThirdOfAllPathsMayBeOfAnotherKind(double more, String said) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).ofItems(30);
            phase.of(asked -> new Answer(Outcome.SUCCESS, 0.5 + (asked.item() % 3 == 1 ? more : 0), false));

            assertThat(phase.diagnoses())
                    .extracting(Diagnosis::id, Diagnosis::confidence)
                    .isEqualTo(said == null ? List.of() : List.of(tuple(said, Confidence.POSSIBLE)));
        }
    }

    /** Whole reports take longer by their nature; a tenant's data may be slow. */
    @ParameterizedTest
    @CsvSource({"/reports?size=full, false", "/reports?size=7, true", "/full/reports, true"})
    void whatIsAskedForByAWordMayTakeLonger(String slow, boolean said) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(8).ofItems(4);
            double more = phase.between(150, 300);
            phase.named(item -> item == 2 ? slow : "/reports?size=short")
                    .of(asked -> new Answer(Outcome.SUCCESS, phase.usual() + (asked.item() == 2 ? more : 0), false));

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).isEqualTo(said ? List.of("two-speeds") : List.of());
        }
    }

    /** One path that is there for some requests, and not for others. */
    @Test
    void aPathThatIsUnknownNowAndThenIsAFault() {
        SimulatedPhase phase = new SimulatedPhase(1);

        assertThat(phase.of(asked -> phase.chance(0.5) ? phase.http(404) : phase.ok())
                        .diagnosesOfOnePath())
                .extracting(Diagnosis::id)
                .containsExactly("steady-failures");
    }
}
