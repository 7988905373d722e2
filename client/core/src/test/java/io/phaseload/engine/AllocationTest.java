package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.plan.EngineSettings;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users' threads allocate for a request. */
@Tag("contract")
@Timeout(90)
class AllocationTest {

    private static final int USERS = 8;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Test
    void isLittle() throws IOException {
        AllocationMeter meter = new AllocationMeter(limit(TestEngine.settings()));
        assumeThat(meter.supported()).as("this JVM tells what threads allocate").isTrue();
        try (TerseServer server = new TerseServer(meter::look)) {
            Plan plan =
                    Plan.builder(server.uri())
                            .threads(USERS)
                            .operations(Operation.get("/"))
                            .phases(new Phase("steady", 1, new PhaseLength.Lasting(LONGEST)))
                            .build();
            meter.run(TestEngine.of(plan, meter.listener()));
        }
        System.out.printf("%s: %s%n", TestEngine.settings(), meter);
        assertThat(meter.isKept()).as(meter.toString()).isTrue();
    }

    /**
     * Of event loops on NIO, whose selector makes objects, and from JDK 24 on, where Netty finds
     * the address of a buffer by means of some that the compiler does away with sooner or later, it
     * is more.
     */
    private static long limit(EngineSettings engine) {
        if (engine.equals(EngineSettings.THREADS)) {
            return 1_500;
        }
        boolean lean = !engine.transport().equals(Optional.of("nio"));
        return lean && Runtime.version().feature() < 24 ? 200 : 300;
    }
}
