package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Outcome;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Redirects that aren't followed: when they are the service's own, and when something sends users elsewhere. */
class RedirectsTest {

    @Test
    void sessionsThatExpireRedirect() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed);
            double[] ends = IntStream.range(0, phase.users)
                    .mapToDouble(user -> phase.between(2_000, 4_000))
                    .toArray();
            phase.of(asked -> asked.atMillis() > ends[asked.user()] ? redirect(phase) : phase.ok());

            assertThat(phase.diagnoses().get(0).id()).isEqualTo("redirects");
            assertThat(phase.diagnoses().get(0).confidence()).isEqualTo(Confidence.LIKELY);
            assertThat(phase.diagnoses(false, Set.of("GET /"))).isEmpty();
        }
    }

    @Test
    void redirectsAmongOtherResponsesAreTheService() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed);
            double share = phase.between(0.1, 0.9);

            assertThat(phase.of(asked -> phase.chance(share) ? redirect(phase) : phase.ok())
                            .diagnoses())
                    .isEmpty();
        }
    }

    @Test
    void redirectsUnderLoadAloneAreSaid() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase few = new SimulatedPhase(seed);
            few.users = 2;
            SimulatedPhase many = new SimulatedPhase(seed);
            many.users = 12;
            double share = many.between(0.1, 0.9);
            PhaseSeries without = few.of(asked -> few.ok()).series();
            PhaseSeries with = many.of(asked -> many.chance(share) ? redirect(many) : many.ok())
                    .series();

            assertThat(ids(Set.of(), without, with)).containsExactly("redirects");
            assertThat(ids(Set.of(), with)).isEmpty();
        }
    }

    /** One of three instances that take turns doesn't know the session. */
    @Test
    void redirectsInTurnOfOnePageAreSaid() {
        SimulatedPhase phase = new SimulatedPhase(1);
        phase.of(asked -> asked.count() % 3 == 1 ? redirect(phase) : phase.ok());

        assertThat(phase.diagnosesOfOnePath())
                .first()
                .extracting(Diagnosis::text)
                .asString()
                .contains("exactly 1 of 3");
        assertThat(phase.diagnoses()).isEmpty();
    }

    /** A session that is lost, whatever page is asked for. */
    @Test
    void pagesThatAllRedirectAreSaid() {
        SimulatedPhase phase = new SimulatedPhase(1).asking("POST /login", "GET /account", "GET /orders");
        PhaseSeries pages = phase.of(asked -> asked.count() % 3 == 0 ? phase.ok() : redirect(phase))
                .series();

        assertThat(ids(Set.of("GET /account", "GET /orders"), pages)).containsExactly("redirects");
        assertThat(ids(Set.of("GET /account"), pages)).isEmpty();
    }

    /** A page of maintenance, for all; or each user's first requests lead to a log-in. */
    @Test
    void redirectsOfAWhileAreSaid() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase away = new SimulatedPhase(seed);
            double begin = away.between(1_500, 3_000);
            away.of(asked -> asked.atMillis() > begin && asked.atMillis() < begin + 1_500 ? redirect(away) : away.ok());
            SimulatedPhase logIn = new SimulatedPhase(seed);
            logIn.of(asked -> asked.atMillis() < 1_500 ? redirect(logIn) : logIn.ok());

            assertThat(away.diagnoses().get(0).id()).isEqualTo("redirects");
            assertThat(away.diagnoses().get(0).text()).contains("s into the run there was nothing else");
            assertThat(logIn.diagnoses()).isEmpty();
        }
    }

    private static Answer redirect(SimulatedPhase phase) {
        return new Answer(Outcome.SUCCESS, 302, phase.usual(), false);
    }
}
