package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.timing.Timing;
import java.util.Optional;

/** Failures while connections are made, and none on those that are open. */
public final class NewConnections {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("new-connections"), NewConnections::judge);

    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;

    private static final double ALL_ALONG = 0.5;

    /** It says where, not why. */
    private static final double WEIGHT = 0.5;

    private NewConnections() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests connecting =
                FailedRequests.with(phase, Cause.CONNECT_REFUSED, Cause.CONNECT_TIMEOUT, Cause.TLS_FAILURE);
        long failed = connecting.count();
        long made = phase.all().count(Timing.SET_UP);
        return !connecting.matter(LEAST, LEAST_SHARE)
                        || failed < phase.all().failed()
                        || made == 0
                        || SynRetransmits.explains(phase)
                        || Restarts.explains(phase)
                        || phase.all().requests() < 2 * (made + failed)
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                connecting.spread() >= ALL_ALONG ? Confidence.LIKELY : Confidence.POSSIBLE,
                                WEIGHT * connecting.share(),
                                failed,
                                made,
                                phase.all().succeeded()));
    }
}
