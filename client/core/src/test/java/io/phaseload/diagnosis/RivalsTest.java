package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.http;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.evidence.RandomPhase;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.plan.Load;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Causes that look alike, and the facts that tell them apart. */
class RivalsTest {

    private static Optional<Confidence> confidence(List<Diagnosis> found, String id) {
        return found.stream()
                .filter(one -> one.id().equals(id))
                .map(Diagnosis::confidence)
                .findFirst();
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

        assertThat(confidence(found, "load-shedding")).contains(Confidence.LIKELY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void fastRefusalsAtRandomArentCertainlyOfTheLoad(long seed) {
        SimulatedPhase phase = new SimulatedPhase(seed);
        List<Diagnosis> found = phase.of(asked -> phase.chance(0.2) ? new Answer(http(503), 503, 1, false) : phase.ok())
                .diagnoses();

        assertThat(confidence(found, "load-shedding")).isNotEqualTo(Optional.of(Confidence.LIKELY));
        assertThat(confidence(found, "rate-limit")).isNotEqualTo(Optional.of(Confidence.LIKELY));
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

        assertThat(confidence(found, "steady-failures")).contains(Confidence.LIKELY);
        assertThat(confidence(found, "connection-limit")).isEmpty();
    }

    private static SimulatedPhase manyUsers() {
        for (long seed = 1; ; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed);
            if (phase.users >= 14) {
                return phase;
            }
        }
    }

    @Test
    void eachThirdRequestOfAConstantLoadIsNoSureLimit() {
        Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(120)), Load.Overload.QUEUE);
        MadeUpPhase phase = new MadeUpPhase("peak", 10, load)
                .seconds(8, r -> r.answered(80, 5).failed(40, 1, http(503)));

        assertThat(confidence(Diagnoses.of(new RunSeries(List.of(phase.series()), false, false)), "rate-limit"))
                .isNotEqualTo(Optional.of(Confidence.LIKELY));
    }

    @Test
    void aSlowStartIsSureIfALaterConnectionIsFast() {
        assertThat(confidence(started(place -> place == 0), "slow-start")).contains(Confidence.POSSIBLE);
        assertThat(confidence(started(place -> place % 10 == 0), "slow-start")).contains(Confidence.LIKELY);
    }

    private static List<Diagnosis> started(IntPredicate connects) {
        RandomPhase phase = new RandomPhase(5, 10, 7_000, 10).starting(1_000).reconnecting(connects);
        return Diagnoses.of(new RunSeries(
                List.of(phase.series(of -> of.atMillis() < 1_000 ? 1_400 : 8 * phase.noise(0.2))), false, false));
    }
}
