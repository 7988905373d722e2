package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import java.util.Optional;

/** Redirects that lead to no page: in a circle, or to another server. */
public final class UnfollowedRedirects {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("unfollowed-redirects"), UnfollowedRedirects::judge);

    private static final int LEAST = 3;

    private UnfollowedRedirects() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests such = FailedRequests.with(phase, Cause.TOO_MANY_REDIRECTS, Cause.REDIRECT_AWAY);
        if (such.count() < LEAST) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.CERTAIN,
                        phase.share(Redirects.redirects(phase.all())),
                        such.count(),
                        such.inWords(),
                        phase.all().failures().entrySet().stream()
                                .filter(cause -> such.causes().test(cause.getKey()))
                                .map(cause -> cause.getValue().detail())
                                .filter(detail -> !detail.isEmpty())
                                .findFirst()
                                .map(to -> ", the first one at " + to)
                                .orElse("")));
    }
}
