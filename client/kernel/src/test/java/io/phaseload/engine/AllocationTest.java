package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users' threads allocate for a request. */
@Tag("contract")
@Tag("wire")
@Timeout(90)
class AllocationTest {

    private static final int USERS = 8;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Test
    void aRequestAllocatesLittle() throws IOException {
        AllocationMeter meter = new AllocationMeter(TestEngine.settings());
        assumeThat(meter.supported()).as("this JVM tells what threads allocate").isTrue();
        try (MinimalServer server = new MinimalServer(meter::look)) {
            Plan plan = Plan.builder(server.uri())
                    .threads(USERS)
                    .operations(Operation.get("/"))
                    .phases(new Phase("steady", 1, new PhaseLength.Lasting(LONGEST)))
                    .build();
            meter.run(TestEngine.of(plan, meter.listener()));
        }
        System.out.printf("%s: %s%n", TestEngine.settings(), meter);
        assertThat(meter.isKept()).as(meter.toString()).isTrue();
    }
}
