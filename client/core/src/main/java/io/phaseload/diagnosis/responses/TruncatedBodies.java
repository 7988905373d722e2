package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import java.util.Optional;

/** Responses that end in the middle. */
public final class TruncatedBodies {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("truncated-bodies"), TruncatedBodies::judge);

    private static final Cause NO_END = Cause.NO_CLOSE_NOTIFY;
    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;

    private TruncatedBodies() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests such = FailedRequests.with(phase, Cause.RESET_IN_HEADER, Cause.RESET_IN_BODY, NO_END);
        return such.matter(LEAST, LEAST_SHARE) && such.besideSuccesses()
                ? Optional.of(RULE.claim()
                        .in(
                                phase,
                                2 * phase.failed(NO_END) <= such.count() ? Confidence.CERTAIN : Confidence.POSSIBLE,
                                such.share(),
                                such.count(),
                                phase.all().requests()))
                : Optional.empty();
    }
}
