package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Outcome;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** Requests that were sent just when the server closed their idle connection. */
public final class IdleTimeout {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                    new Claim(
                            "idle-timeout",
                            About.SERVER,
                            "{failed:%d} requests were sent just when the server closed their idle"
                                    + " connection: its keep-alive timeout is about as long as the"
                                    + " users' pauses.",
                            "Make the server's keep-alive timeout longer than any caller's pause, and"
                                    + " a caller's shorter than the server's.",
                            "Requests failed with 'closed by the server while idle': they can't be"
                                    + " sent again, since the server may have read them."),
                    IdleTimeout::judge);

    private IdleTimeout() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long failed = phase.failed(new Outcome.ClosedWhileIdle());
        return failed == 0
                ? Optional.empty()
                : Optional.of(
                        RULE.claim().in(phase, Confidence.CERTAIN, phase.share(failed), failed));
    }
}
