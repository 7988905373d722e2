package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.share.Part;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients with parts of one plan; one of them has nobody in a phase. */
@Tag("contract")
@Timeout(60)
class SharedPlanEngineTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    static Stream<Load> loads() {
        return Stream.of(
                Load.Closed.AT_ONCE, new Load.Open(new ConstantArrivals(Rate.perSecond(1_000)), Load.Overload.QUEUE));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void clientsSendTheirParts(Load load) {
        PhaseLength length = new PhaseLength.Iterations(3);
        Plan plan = Plan.builder(server.uri())
                .threads(8)
                .phases(new Phase("one", 0.1, length, load), new Phase("all", 1, length, load))
                .build();

        Measurement most = run(plan, "1,3/3");
        Measurement rest = run(plan, "2/3");

        assertThat(asked(most)).containsExactly(3L, 5 * 3L);
        assertThat(asked(rest)).containsExactly(0L, 3 * 3L);
        assertThat(rest.phases().get(0).users()).isZero();
        assertThat(server.requests()).isEqualTo(27);
        assertThat(Stream.of(most, rest).map(Measurement::fault)).allMatch(Optional::isEmpty);
    }

    private static Measurement run(Plan plan, String part) {
        return TestEngine.of(plan.withPart(Part.parse(part)), RunListener.NONE).run();
    }

    private static Stream<Long> asked(Measurement of) {
        return of.phases().stream()
                .peek(phase -> assertThat(phase.notSent()).isEmpty())
                .map(PhaseMeasurement::asked);
    }
}
