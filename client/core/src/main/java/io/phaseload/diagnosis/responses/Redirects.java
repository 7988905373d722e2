package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.verdict.Finding.About;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Responses that only name another address, and count as successes. */
public final class Redirects {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "redirects",
                    About.PLAN,
                    "{redirects:%d} of {responses:%d} responses were redirects with status"
                            + " {status}, which count as successes and weren't followed: the figures"
                            + " are those of redirects, not of the pages behind them.",
                    "See where they lead: curl -i. To a log-in: let the plan log in, or give"
                            + " credentials. To another host, scheme or path: use that. If redirects"
                            + " are what you measure, nothing is wrong; --expect status=302 says so to"
                            + " readers.",
                    "At least 10 responses, and 95 % of all of a phase, had status 301, 302, 303, 307"
                            + " or 308, and no failed check."),
            Redirects::judge);

    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
    private static final int LEAST = 10;
    private static final double MOST = 0.95;

    private Redirects() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Map<Integer, Long> statuses = phase.all().counters().statuses();
        long redirects = STATUSES.stream()
                .mapToLong(status -> statuses.getOrDefault(status, 0L))
                .sum();
        long responses = phase.all().responses();
        return redirects < LEAST || redirects < MOST * responses || phase.all().succeeded() < MOST * redirects
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.POSSIBLE,
                                phase.share(redirects),
                                redirects,
                                responses,
                                STATUSES.stream()
                                        .max(Comparator.comparingLong(status -> statuses.getOrDefault(status, 0L)))
                                        .orElseThrow()));
    }
}
