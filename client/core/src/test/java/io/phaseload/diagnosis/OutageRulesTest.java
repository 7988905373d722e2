package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.http;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Pool;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in which requests fail, and what only looks like an outage. */
@Tag("slow")
class OutageRulesTest {

    /** A server, or one behind a proxy, that doesn't come back before the phase ends. */
    @Test
    void anOutageMayLastUntilTheEnd() {
        SimulatedPhase phase = new SimulatedPhase(1);

        assertThat(phase.of(asked -> asked.atMillis() > 4_000 ? phase.http(503) : phase.ok())
                        .diagnoses())
                .first()
                .satisfies(found -> assertThat(found.id()).isEqualTo("outage"))
                .satisfies(found -> assertThat(found.text()).contains("and before they did succeed"));
    }

    /** What starts a service for each connection rests after too many, for as long as it works. */
    @ParameterizedTest
    @ValueSource(doubles = {700, 1_050})
    void aServerThatIsAwayHalfOfTheTimeRestarts(double away) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(10).thinking(50, 100);
            phase.of(asked -> asked.atMillis() % (2 * away) < away - 50
                    ? phase.ok()
                    : new Answer(Outcome.NoResponse.CONNECT_REFUSED, phase.between(0.2, 1), true));

            assertThat(phase.diagnoses().get(0).id()).isIn("restarts", "outage");
        }
    }

    /** A lock that everything waits for; or those that wait are given up. */
    @ParameterizedTest
    @CsvSource({"false, standstill", "true, outage"})
    void aStandstillAfterWhichAllSucceedIsNoOutage(boolean givenUp, String said) {
        for (int seed = 0; seed < 10; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).thinking(100, 300);
            phase.users = 20;
            double until = phase.between(5_000, 5_500);
            phase.of(asked -> {
                double left = until - asked.atMillis();
                boolean waits = left > 0 && left < 2_000;
                return new Answer(
                        waits && givenUp ? http(500) : Outcome.SUCCESS,
                        waits && givenUp ? 500 : 200,
                        phase.between(8, 20) + (waits ? left : 0),
                        false);
            });

            assertThat(phase.diagnoses().get(0).id()).isEqualTo(said);
        }
    }

    /** Numbers for orders that are there already, until they are behind these. */
    @ParameterizedTest
    @CsvSource({"false, of 'GET /items', other operations went on", "true, '', had failed"})
    void anOutageMayBeginWithThePhase(boolean all, String of, String why) {
        SimulatedPhase phase = new SimulatedPhase(1).asking("GET /items", "POST /orders");

        Answer failed = new Answer(http(500), 500, 10, false);
        phase.of(asked -> asked.atMillis() < 1_800 && (all || asked.count() % 2 == 0) ? failed : phase.ok());

        assertThat(phase.diagnoses())
                .first()
                .satisfies(found -> assertThat(found.id()).isEqualTo("outage"))
                .satisfies(found -> assertThat(found.confidence()).isEqualTo(Confidence.LIKELY))
                .satisfies(
                        found -> assertThat(found.text()).contains("from 0.0 to ", of, "and afterwards they did", why));
    }

    /** An index that shows what is new after a while: all who begin at once ask too soon, and half of them later. */
    @Test
    void whatFailsAllAlongIsNoOutageAtTheBegin() {
        SimulatedPhase phase =
                new SimulatedPhase(1).asking("PUT /documents", "GET /search").thinking(100, 400);

        Answer failed = new Answer(http(404), 404, 10, false);
        phase.of(asked ->
                asked.count() % 2 == 1 && (asked.atMillis() < 1_300 || phase.chance(0.4)) ? failed : phase.ok());

        assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContain("outage");
    }

    /** A balancer that forgets its routes: it is up, but no page is there. */
    @Test
    void anOutageMayBeOfAnyStatus() {
        SimulatedPhase phase = new SimulatedPhase(1);

        assertThat(phase.of(asked ->
                                asked.atMillis() > 2_000 && asked.atMillis() < 3_500 ? phase.http(404) : phase.ok())
                        .diagnoses())
                .first()
                .satisfies(found -> assertThat(found.id()).isEqualTo("outage"))
                .satisfies(found -> assertThat(found.confidence()).isEqualTo(Confidence.LIKELY));
    }

    /** Pages that wait for reports are answered ever later, until nobody waits for them any longer. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aLineThatOutgrowsTheTimeoutIsNoOutage(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        int workers = phase.whole(3, 6);
        Pool pool = new Pool(workers);
        double millis = phase.between(150, 300);
        phase.timeoutMillis = phase.between(900, 1_500);
        Rate rate = Rate.perSecond(Math.round(workers * 1_000 / millis * phase.between(2.5, 4)));
        List<Diagnosis> found = phase.seconds(8)
                .asking("GET /report", "GET /page")
                .at(new ConstantArrivals(rate))
                .of(asked -> new Answer(
                        Outcome.SUCCESS, pool.millis(asked.atMillis(), asked.count() % 2 == 0 ? millis : 4), false))
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("saturation");
    }

    @ParameterizedTest
    @CsvSource({
        "500, 1_200, outage, CERTAIN, had failed",
        "503, 1_200, outage, LIKELY, refused all requests",
        "502, 500, restarts, LIKELY, restarted",
        "503, 500, restarts, POSSIBLE, circuit breaker",
        "410, 500, restarts, LIKELY, a version",
        "422, 500, restarts, LIKELY, a version",
    })
    void aRefusalIsNoCertainOutage(int status, String millis, String id, Confidence confidence, String why) {
        SimulatedPhase phase = new SimulatedPhase(2);
        double length = Double.parseDouble(millis.replace("_", ""));
        List<Diagnosis> found = phase.seconds(7)
                .at(new ConstantArrivals(Rate.perSecond(120)))
                .of(asked -> asked.atMillis() > 2_500 && asked.atMillis() < 2_500 + length
                        ? new Answer(http(status), status, 1, false)
                        : phase.ok())
                .diagnoses();

        assertThat(found.get(0))
                .returns(id, Diagnosis::id)
                .returns(confidence, Diagnosis::confidence)
                .extracting(Diagnosis::text)
                .asString()
                .contains(why);
    }

    /** A store that is empty until it is filled again; or all of it is slow, of which only its share is said. */
    @ParameterizedTest
    @CsvSource({"check json:/total, true", "check time<500ms, false"})
    void aCheckThatFailsForAMomentIsSaidUnlessItIsOfTime(String check, boolean said) {
        SimulatedPhase phase = new SimulatedPhase(2).seconds(7).at(new ConstantArrivals(Rate.perSecond(120)));
        phase.of(asked -> asked.atMillis() > 2_500 && asked.atMillis() < 3_000
                ? new Answer(new Outcome.CheckFailure(Cause.of(check), "a body"), 200, phase.usual(), false)
                : phase.ok());

        assertThat(phase.diagnoses())
                .extracting(Diagnosis::id)
                .isEqualTo(List.of(said ? "restarts" : "steady-failures"));
    }

    /** They come in bursts, since users wait after a failure. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void failuresOfUsersWhoBackOffAreOneOutage(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        phase.backOffMillis = phase.between(500, 1_200);
        double length = phase.between(1_700, 2_300);
        List<Diagnosis> found = phase.seconds(8)
                .of(asked -> asked.atMillis() > 3_000 && asked.atMillis() < 3_000 + length
                        ? new Answer(Outcome.NoResponse.CONNECT_REFUSED, 0, 1, true)
                        : phase.ok())
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("outage");
    }

    @Test
    void aRouteThatIsGoneForAWhileIsAnOutage() {
        SimulatedPhase phase = new SimulatedPhase(1);
        Outcome gone = new Outcome.ClientFault(Cause.NO_ROUTE, "");
        List<Diagnosis> found = phase.seconds(8)
                .at(new ConstantArrivals(Rate.perSecond(50)))
                .of(asked -> asked.atMillis() > 3_000 && asked.atMillis() < 5_000
                        ? new Answer(gone, 0, 1, true)
                        : phase.ok())
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("outage");
        assertThat(found.get(0))
                .returns(Confidence.LIKELY, Diagnosis::confidence)
                .extracting(Diagnosis::text)
                .asString()
                .contains("had no route to it");
    }

    /** The client's lag makes no statuses, but timeouts. */
    @ParameterizedTest
    @CsvSource({"true, 500, outage", "true, 0,", "false, 0, outage"})
    void aBusyClientKnowsAnOutageByItsStatuses(boolean limited, int status, String id) {
        SimulatedPhase phase = new SimulatedPhase(3);
        phase.timeoutMillis = 300;
        Answer refused =
                status == 0 ? new Answer(Outcome.SUCCESS, 2_000, false) : new Answer(http(status), status, 1, false);
        List<String> found = phase
                .of(asked -> asked.atMillis() > 2_000 && asked.atMillis() < 4_000 ? refused : phase.ok())
                .diagnoses(limited, Set.of())
                .stream()
                .map(Diagnosis::id)
                .toList();

        assertThat(found).isEqualTo(id == null ? List.of() : List.of(id));
    }

    /** The others wait until its lease is over. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aLockWhoseHolderDiedIsNoSureOutage(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        double lease = phase.between(950, 1_400);
        List<Diagnosis> found = phase.seconds(8)
                .at(new ConstantArrivals(Rate.perSecond(phase.whole(50, 90))))
                .of(asked -> {
                    double since = asked.atMillis() % 2_500;
                    boolean waits = asked.atMillis() > 2_500 && since < lease;
                    if (waits && since < 10) {
                        return phase.http(500);
                    }
                    return waits ? new Answer(Outcome.SUCCESS, lease - since + phase.usual(), false) : phase.ok();
                })
                .diagnoses();

        assertThat(found).isNotEmpty();
        assertThat(Found.confidence(found, "outage")).isNotEqualTo(Optional.of(Confidence.CERTAIN));
    }

    @Test
    void accountsThatExistAlreadyAreNoOutage() {
        SimulatedPhase phase = new SimulatedPhase(1);
        List<Diagnosis> found = phase.of(asked -> asked.atMillis() < 300 ? phase.ok() : phase.http(409))
                .diagnosesOfOnePath();

        assertThat(found).extracting(Diagnosis::id).doesNotContain("outage");
    }
}
