package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.stats.ScalabilityLaw;
import io.phaseload.verdict.rules.Wording;
import java.util.Optional;

/** Steps of a sweep whose throughput nears a limit, as if a part of the work were serial. */
public final class Contention {

    /** Its finding; a single run can't show it. */
    public static final Claim CLAIM = Claim.of("contention");

    private Contention() {}

    /** Judges the law that was fitted to a sweep. */
    public static Optional<Diagnosis> judge(ScalabilityFit fit) {
        ScalabilityLaw law = fit.law();
        double low = fit.sigma().low();
        if (fit.isPoor() || low * (fit.mostUsers() - 1) < 1) {
            return Optional.empty();
        }
        return Optional.of(CLAIM.ofRun(
                Wording.REQUESTS,
                Confidence.POSSIBLE,
                law.sigma() * (fit.mostUsers() - 1) / fit.mostUsers(),
                law.sigma() * 100,
                low * 100,
                fit.sigma().high() * 100,
                law.lambda() / law.sigma()));
    }
}
