package io.phaseload.report.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.SyntheticRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartTest {

    /** In points of ten bins of two seconds each. */
    @Test
    void coursesAreRequestsPerSecondOfEachOperation() {
        SyntheticRun run = SyntheticRun.run(400, 10, "GET /", "POST /");

        List<Part> parts = Part.of(run.result(), run.intervals());

        assertThat(parts).extracting(Part::title).containsExactly("All phases", "loading", "peak");
        assertThat(parts.get(0).courses())
                .hasSize(2)
                .allSatisfy(course -> assertThat(course).hasSize(40).containsOnly(10));
        assertThat(parts.get(2).courses())
                .allSatisfy(course -> assertThat(course).hasSize(40).containsOnly(10));
    }
}
