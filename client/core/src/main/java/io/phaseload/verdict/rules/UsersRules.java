package io.phaseload.verdict.rules;

import io.phaseload.measure.UsersTime;
import io.phaseload.stats.LittlesLaw;
import io.phaseload.verdict.Finding;
import java.util.ArrayList;
import java.util.List;

/** Audits a closed phase's users by Little's law. */
final class UsersRules {

    /** First connections take time, but it should be little compared to the phase. */
    private static final double MAX_FIRST_SHARE = 0.10;

    private UsersRules() {}

    static List<Finding> tookPart(PhaseHealth phase, UsersTime time) {
        // An agent may have only users that a ramp begins after the phase's end.
        boolean most = time.tookPart() >= (1 - LittlesLaw.TOLERANCE) * time.users();
        if (!phase.whole() || most) {
            return List.of();
        }
        return List.of(Rule.USERS.in(phase.words(), phase.phase(), time.tookPart(), time.users()));
    }

    static List<Finding> judge(PhaseHealth phase, UsersTime time) {
        List<Finding> findings = new ArrayList<>();
        if (!phase.whole()) {
            return findings;
        }
        double connecting = time.share(time.firstConnecting());
        double unscheduled = time.share(time.unscheduled());
        if (connecting + unscheduled > MAX_FIRST_SHARE) {
            findings.add(Rule.FIRST_REQUESTS.in(
                    phase.words(),
                    phase.phase(),
                    (connecting + unscheduled) * 100,
                    connecting * 100,
                    unscheduled * 100));
        }
        double missing = time.share(time.missing());
        if (missing > LittlesLaw.TOLERANCE) {
            findings.add(Rule.LITTLES_LAW.in(
                    phase.words(),
                    phase.phase(),
                    missing * 100,
                    time.users() * (1 - missing - connecting - unscheduled),
                    time.users()));
        }
        return findings;
    }
}
