package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import java.util.Optional;

/** A name that has an address now and then. */
public final class FailedLookUps {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("failed-look-ups"), FailedLookUps::judge);

    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.01;

    private FailedLookUps() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests such = FailedRequests.with(phase, Cause.UNKNOWN_HOST);
        return !such.matter(LEAST, LEAST_SHARE) || phase.all().succeeded() == 0
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.CERTAIN,
                                such.share(),
                                such.count(),
                                phase.all().requests(),
                                phase.detail(Cause.UNKNOWN_HOST)));
    }
}
