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
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "idle-timeout",
                    About.SERVER,
                    "{failed:%d} requests were sent just when the server ended their kept"
                            + " connection: its keep-alive timeout may be about as long as"
                            + " the users' pauses.",
                    "Make the server's keep-alive timeout longer than any caller's pause, and"
                            + " a caller's shorter than the server's.",
                    "Requests of users who pause failed with 'connection ended, unknown if"
                            + " read'. They have no pattern that 'resets' knows: not after the same"
                            + " number of requests, the same age, or some time of work. It is likely if the server closed twice as many connections in"
                            + " time to be noticed, and possible otherwise: a server that crashes"
                            + " as soon as it reads a request looks the same."),
            IdleTimeout::judge);

    private IdleTimeout() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long failed = phase.failed(new Outcome.UnknownIfRead());
        return failed == 0 || phase.isAtOnce() || Resets.explains(phase)
                ? Optional.empty()
                : Optional.of(RULE.claim().in(phase, confidence(phase, failed), phase.share(failed), failed));
    }

    private static Confidence confidence(PhaseSeries phase, long failed) {
        return phase.all().counters().reconnects() >= 2 * failed ? Confidence.LIKELY : Confidence.POSSIBLE;
    }
}
