package io.phaseload.verdict.rules;

import io.phaseload.stats.QuantileRanks;
import io.phaseload.verdict.Finding;
import java.time.Duration;
import java.util.List;

/** Checks whether an open phase offered the planned load. */
final class OfferedRules {

    private static final double MAX_NOT_SENT = 0.01;

    /** More than a timer and a busy core explain, and enough to affect the figures. */
    private static final Duration LEAST_SLIP = Duration.ofMillis(10);

    private static final double MAX_SLIP_SHARE = 0.10;

    private static final long LEAST_99 = QuantileRanks.leastSamples(0.99);

    /** Above this, arrivals at random times often find no user free. */
    private static final double BUSY = 0.90;

    private OfferedRules() {}

    static List<Finding> judge(PhaseHealth phase, OfferedLoad load, boolean clientIsLimit) {
        // Of few requests, the latest one alone says nothing.
        Duration slip = load.intended() < LEAST_99 ? load.meanSlip() : load.p99Slip();
        boolean late = slip.compareTo(LEAST_SLIP) > 0
                && load.meanSlip().toNanos()
                        > MAX_SLIP_SHARE * load.meanResponse().toNanos();
        if (!phase.whole() || load.missing() <= MAX_NOT_SENT && !late) {
            return List.of();
        }
        return List.of(Rule.OFFERED_LOAD.in(
                phase.words(),
                phase.phase(),
                load.notSent(),
                load.intended(),
                load.missing() * 100,
                HealthRules.seconds(load.p99Slip()),
                phase.words().text(why(load, clientIsLimit))));
    }

    private static String why(OfferedLoad load, boolean clientIsLimit) {
        if (clientIsLimit) {
            return "The client was the limit, see above. Use a lower rate or more cores.";
        }
        return load.busy() >= BUSY
                ? "All %d [users] were busy, waiting for the target. Use a higher [-c] or a lower rate."
                        .formatted(load.users())
                : "[Users] were free, so the client was the limit. Use a lower rate or more cores.";
    }
}
