package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** Responses that end in the middle. */
public final class TruncatedBodies {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "truncated-bodies",
                    About.SERVER,
                    "{truncated:%d} of {requests:%d} responses began and then ended in the"
                            + " middle: the server, or a proxy before it, closed the connection before"
                            + " it had sent all that its header announced.",
                    "Look for a Content-Length that is larger than the body, a worker that crashes or"
                            + " is stopped while it writes, and a proxy whose time, buffer or disk ran"
                            + " out. To make sure, compare the sizes: curl -v says how many bytes are"
                            + " missing.",
                    "At least 3 responses, and 0.1 %, ended within their header or body, while"
                            + " others succeeded in at least 80 % of the seconds in which that"
                            + " happened. If most of them are bodies of unknown length that ended without"
                            + " TLS's close_notify, it is possible: nothing may be missing."),
            TruncatedBodies::judge);

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
