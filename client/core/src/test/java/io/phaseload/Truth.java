package io.phaseload;

import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.LatencyValue;
import io.phaseload.schedule.Schedule;
import java.net.URI;
import java.time.Duration;

/** What tests of the truth share. */
final class Truth {

    /** A run may be spoilt by the machine; one of so many must not be. */
    static final int ATTEMPTS = 3;

    static final double MILLI = 1e6;

    private Truth() {}

    static double millis(LatencyValue value) {
        return value.value().orElseThrow().toNanos() / MILLI;
    }

    static Plan open(URI uri, int users, Schedule schedule, int seconds) {
        Load load = new Load.Open(schedule, Load.Overload.QUEUE);
        PhaseLength length = new PhaseLength.Lasting(Duration.ofSeconds(seconds));
        return Plan.builder(uri)
                .threads(users)
                .operations(Operation.get("/"))
                .phases(new Phase("open", 1, length, load))
                .build();
    }
}
