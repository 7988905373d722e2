package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntervalMergerTest {

    /** Figures of machines can't be added up. */
    @Test
    void eachAgentKeepsItsOwnFigures() {
        Plan plan = Plan.builder(URI.create("http://localhost/")).build();
        List<Interval> merged = new ArrayList<>();
        IntervalMerger merger = new IntervalMerger(plan, new RunListener() {
            @Override
            public void interval(Interval interval) {
                merged.add(interval);
            }
        });

        merger.add("one", busy(plan, 80));
        merger.add("two", busy(plan, 20));
        merger.report(plan.phases().get(0), Duration.ofSeconds(1));
        merger.report(plan.phases().get(0), Duration.ofSeconds(2));

        assertThat(merged)
                .extracting(Interval::client)
                .containsExactly(
                        new HostFigures(Map.of("one.cpuPercent", 80.0, "two.cpuPercent", 20.0)), HostFigures.GAP);
    }

    private static Interval busy(Plan plan, double percent) {
        return new Interval(plan.phases().get(0).name(), Duration.ZERO, Duration.ofSeconds(1), List.of(new Tally()))
                .withClient(new HostFigures(Map.of("cpuPercent", percent)));
    }
}
