package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The intervals that a run tells are the phases, cut into pieces: nothing is lost or twice. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class IntervalsTest {

    private final List<Interval> heard = Collections.synchronizedList(new ArrayList<>());
    private final RunListener listener = new RunListener() {
        @Override
        public void interval(Interval interval) {
            heard.add(interval);
        }
    };

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @Test
    void intervalsSumToThePhase() {
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE);
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(4)
                .phases(
                        new Phase("by-time", 1, lasting(2_300)),
                        new Phase("by-count", 0.5, new PhaseLength.Iterations(10)),
                        new Phase("open", 1, lasting(1_200), open))
                .build();

        Measurement measured = TestEngine.of(plan, listener).run();

        assertThat(heard)
                .extracting(Interval::phase)
                .containsExactly("by-time", "by-time", "by-time", "by-count", "open", "open");
        measured.phases().forEach(this::assertAddsUp);
        assertThat(heard.get(0).length()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    /** The last tick and the phase's end come at the same time. */
    @RepeatedTest(2)
    void noIntervalHasANegativeLengthInAPhaseOfWholeSeconds() {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(2)
                .phases(new Phase("second", 1, lasting(1_000)))
                .build();

        Measurement measured = TestEngine.of(plan, listener).run();

        assertThat(heard).extracting(Interval::length).noneMatch(Duration::isNegative);
        assertAddsUp(measured.phases().get(0));
    }

    private void assertAddsUp(PhaseMeasurement phase) {
        List<Interval> intervals = heard.stream()
                .filter(interval -> interval.phase().equals(phase.phase().name()))
                .toList();
        for (int operation = 0; operation < phase.operations().size(); operation++) {
            int index = operation;
            Tally sum = Tallies.sum(intervals.stream()
                    .map(interval -> interval.operations().get(index))
                    .toList());
            Tally total = phase.operations().get(operation);
            assertThat(sum.histograms()).isEqualTo(total.histograms());
            assertThat(sum.causes()).isEqualTo(total.causes());
            assertThat(sum.requests()).isEqualTo(total.requests()).isPositive();
            assertThat(sum.counters().bytesReceived())
                    .isEqualTo(total.counters().bytesReceived());
        }
        Duration length = Duration.ZERO;
        for (Interval interval : intervals) {
            assertThat(interval.start()).isEqualTo(intervals.get(0).start().plus(length));
            length = length.plus(interval.length());
        }
        // A tick just after the last user's end makes them a little longer than the phase.
        assertThat(length).isBetween(phase.wall(), phase.wall().plusSeconds(1));
    }

    private static PhaseLength lasting(long millis) {
        return new PhaseLength.Lasting(Duration.ofMillis(millis));
    }
}
