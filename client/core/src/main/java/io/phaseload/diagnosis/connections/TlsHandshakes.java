package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.rules.Wording;
import java.util.Optional;

/** TLS handshakes that take a good part of the time. */
public final class TlsHandshakes {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("tls-handshakes"), (run, phase) -> judge(phase, run.clientLimited()));

    private static final double LEAST_SHARE = 0.20;
    private static final double ROUND_TRIPS = 4;

    /** Where so many fail, how long the others take is the lesser trouble. */
    private static final double MOST_FAIL = 0.5;

    /** The first handshakes of a client also load its classes. */
    private static final int LEAST = 30;

    private static final long LEAST_PER_USER = 2;

    /** A pair opens several connections at its start. */
    private static final long LEAST_PER_PAIR = 5;

    private TlsHandshakes() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase, boolean clientLimited) {
        double share = phase.shareOfTime(phase.sum(Timing.TLS));
        long handshakes = phase.all().count(Timing.TLS);
        long each = phase.words() == Wording.MESSAGES ? LEAST_PER_PAIR : LEAST_PER_USER;
        if (share < LEAST_SHARE
                || handshakes < Math.max(LEAST, each * phase.users())
                || phase.share(phase.failed(Cause.TLS_FAILURE)) > MOST_FAIL * share) {
            return Optional.empty();
        }
        double tls = phase.millis(Timing.TLS, 50);
        // A handshake takes up to three ways there and back; TCP's takes one.
        boolean costly = !clientLimited && tls >= ROUND_TRIPS * phase.millis(Timing.TCP, 50);
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        !costly
                                ? Confidence.POSSIBLE
                                : tls >= phase.millis(Timing.FIRST_BYTE, 50) ? Confidence.CERTAIN : Confidence.LIKELY,
                        share,
                        share * 100,
                        handshakes,
                        tls,
                        phase.millis(Timing.TLS, 100)));
    }
}
