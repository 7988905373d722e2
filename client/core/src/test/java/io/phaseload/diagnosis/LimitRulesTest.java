package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.http;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of connections, of requests at a time, and of the rate. */
@Tag("slow")
class LimitRulesTest {

    private static SimulatedPhase manyUsers() {
        for (long seed = 1; ; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed);
            if (phase.users >= 14) {
                return phase;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aLimitOfRequestsAtATimeRefusesWhileOthersAreUnderWay(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        List<Double> ends = new ArrayList<>();
        List<Diagnosis> found = phase.of(asked -> {
                    ends.removeIf(end -> end <= asked.atMillis());
                    if (ends.size() > phase.users / 8) {
                        return new Answer(http(503), 503, 1, false);
                    }
                    double millis = phase.between(20, 40);
                    ends.add(asked.atMillis() + millis);
                    return new Answer(phase.ok().outcome(), millis, false);
                })
                .diagnoses();

        assertThat(Found.confidence(found, "load-shedding")).contains(Confidence.LIKELY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void fastRefusalsAtRandomArentOfTheLoad(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        List<Diagnosis> found = phase.of(asked -> phase.chance(0.2) ? new Answer(http(503), 503, 1, false) : phase.ok())
                .diagnoses();

        assertThat(Found.confidence(found, "load-shedding")).isEmpty();
        assertThat(Found.confidence(found, "rate-limit")).isNotEqualTo(Optional.of(Confidence.LIKELY));
    }

    /** While one of its users sends, one more of the other instances' users may be served. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anInstanceThatRefusesAtOnceIsntOfTheLoad(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).thinking(20, 60);
        phase.users = 11;
        List<Diagnosis> found = phase.of(asked -> asked.user() % 3 == 0
                        ? new Answer(http(503), 503, 1, false)
                        : new Answer(Outcome.SUCCESS, phase.between(20, 60), false))
                .diagnoses();

        assertThat(found.get(0).id()).isEqualTo("steady-failures");
        assertThat(Found.confidence(found, "load-shedding")).isEmpty();
    }

    /** Users whose connections are made last, over which each request fails. */
    @Test
    void connectionsBeyondALimitAreTheLastOnes() {
        SimulatedPhase phase = manyUsers();
        Set<Integer> admitted = new HashSet<>();
        List<Diagnosis> found = phase.of(asked -> {
                    boolean free = admitted.size() < phase.users / 2 && admitted.add(asked.user());
                    return free || admitted.contains(asked.user()) ? phase.ok() : phase.http(503);
                })
                .diagnoses();

        assertThat(found.get(0).id()).isEqualTo("connection-limit");
    }

    @Test
    void anInstanceThatFailsHasConnectionsOfAnyTime() {
        SimulatedPhase phase = manyUsers();
        List<Diagnosis> found = phase.of(asked -> asked.user() % 2 == 0 ? phase.http(503) : phase.ok())
                .diagnoses();

        assertThat(Found.confidence(found, "steady-failures")).contains(Confidence.LIKELY);
        assertThat(Found.confidence(found, "connection-limit")).isEmpty();
    }

    /** A token comes at even distances; what is refused comes soon after a success, whatever is under way. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aLimitOfTheRateIsNoLimitOfTheLoad(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed).asking("GET /items", "GET /prices");
        double every = phase.between(15, 40);
        double[] next = {0};
        List<Diagnosis> found = phase.of(asked -> {
                    if (asked.atMillis() < next[0]) {
                        return new Answer(http(503), 503, 1, false);
                    }
                    next[0] = asked.atMillis() + every;
                    return new Answer(Outcome.SUCCESS, phase.between(10, 60), false);
                })
                .diagnoses();

        assertThat(Found.confidence(found, "load-shedding")).isNotEqualTo(Optional.of(Confidence.LIKELY));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aLimitOfRequestsAtATimeIsNamedAsSuch(long seed) {
        assertThat(limited(seed, 429).get(0).text()).contains("a limit of requests at a time");
        assertThat(limited(seed, 503)).extracting(Diagnosis::id).doesNotContain("rate-limit", "steady-failures");
    }

    /** At most 6 at a time, whose times vary. */
    private static List<Diagnosis> limited(long seed, int status) {
        SimulatedPhase phase = new SimulatedPhase(seed).at(new PoissonArrivals(Rate.perSecond(150), seed));
        List<Double> ends = new ArrayList<>();
        return phase.of(asked -> {
                    ends.removeIf(end -> end <= asked.atMillis());
                    if (ends.size() >= 6) {
                        return new Answer(http(status), status, 1, false);
                    }
                    double millis = phase.between(40, 90);
                    ends.add(asked.atMillis() + millis);
                    return new Answer(Outcome.SUCCESS, millis, false);
                })
                .diagnoses();
    }

    /** Those who log in beyond a number of users are refused as steadily as above a rate. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void seatsThatFewUsersDontFillAreNoRateLimit(long seed) {
        RunSeries run = new RunSeries(List.of(seats(seed, 2), seats(seed, 20)), false, false);

        assertThat(Diagnoses.of(run)).extracting(Diagnosis::id).startsWith("failures-with-load");
    }

    private static PhaseSeries seats(long seed, int users) {
        SimulatedPhase phase =
                new SimulatedPhase(seed).asking("POST /login", "GET /items").thinking(20, 60);
        phase.users = users;
        double[] until = new double[7];
        return phase.of(asked -> {
                    if (asked.count() % 2 == 1) {
                        return phase.ok();
                    }
                    for (int i = 0; i < until.length; i++) {
                        if (until[i] < asked.atMillis()) {
                            until[i] = asked.atMillis() + phase.between(100, 200);
                            return phase.ok();
                        }
                    }
                    return phase.http(503);
                })
                .series();
    }

    @Test
    void eachThirdRequestOfAConstantLoadIsNoSureLimit() {
        Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(120)), Load.Overload.QUEUE);
        MadeUpPhase phase = new MadeUpPhase("peak", 10, load)
                .seconds(8, r -> r.answered(80, 5).failed(40, 1, http(503)));

        assertThat(Found.confidence(Diagnoses.of(new RunSeries(List.of(phase.series()), false, false)), "rate-limit"))
                .isNotEqualTo(Optional.of(Confidence.LIKELY));
    }
}
