package io.phaseload.health;

import io.phaseload.health.Verdict.Status;
import io.phaseload.stats.LittlesLaw;
import java.util.ArrayList;
import java.util.List;

/** What Little's law, as an audit of a closed phase, says of its users. */
final class UsersRules {

    /** A first connection takes its time, which should be small beside the phase. */
    private static final double MAX_FIRST_SHARE = 0.10;

    private UsersRules() {}

    static List<Reason> tookPart(PhaseHealth phase, UsersTime time) {
        double part = (double) time.tookPart() / time.users();
        if (!phase.whole() || part >= 1 - LittlesLaw.TOLERANCE) {
            return List.of();
        }
        return List.of(
                HealthRules.reason(
                        phase,
                        "users",
                        Status.SUSPECT,
                        "only %d of %d users took part; the others never sent a request. Use"
                                + " fewer users, a longer phase, --ramp or --connect-rate.",
                        time.tookPart(),
                        time.users()));
    }

    static List<Reason> judge(PhaseHealth phase, UsersTime time) {
        List<Reason> reasons = new ArrayList<>();
        if (!phase.whole()) {
            return reasons;
        }
        double connecting = time.share(time.firstConnecting());
        double unscheduled = time.share(time.unscheduled());
        if (connecting + unscheduled > MAX_FIRST_SHARE) {
            reasons.add(
                    HealthRules.reason(
                            phase,
                            "first-requests",
                            Status.SUSPECT,
                            "%.0f %% of the users' time passed before their first requests: %.0f %%"
                                    + " connecting, %.0f %% waiting for a CPU. Use fewer users, a"
                                    + " longer phase, --ramp or --connect-rate.",
                            (connecting + unscheduled) * 100,
                            connecting * 100,
                            unscheduled * 100));
        }
        double missing = time.share(time.missing());
        if (missing > LittlesLaw.TOLERANCE) {
            reasons.add(
                    HealthRules.reason(
                            phase,
                            "littles-law",
                            Status.SUSPECT,
                            "%.0f %% of the users' time is missing from the figures: between two"
                                    + " requests they waited for a CPU or for the client's own work, so"
                                    + " that only %.0f of %d users were at work on average. Use fewer"
                                    + " users or more cores.",
                            missing * 100,
                            time.users() * (1 - missing - connecting - unscheduled),
                            time.users()));
        }
        return reasons;
    }
}
