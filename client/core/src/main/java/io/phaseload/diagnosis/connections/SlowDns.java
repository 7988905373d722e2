package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Kind;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** Names that take long to look up. */
public final class SlowDns {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                    new Claim(
                            "slow-dns",
                            About.NETWORK,
                            "looking up the target's addresses took up to {maxMs:%.0f} ms, and"
                                    + " {timePercent:%.0f} % of the time that users spent connecting"
                                    + " and waiting for responses.",
                            "Check the client's resolver (/etc/resolv.conf: a name server that"
                                    + " doesn't answer costs 5 s), or give the target by address. To"
                                    + " make sure, time: getent ahosts HOST.",
                            "The sum of all look-ups is at least 10 % of the time that users spent"
                                    + " connecting and waiting, and the longest took 20 ms or more."),
                    SlowDns::judge);

    private static final double LEAST_SHARE = 0.10;
    private static final double LEAST_MILLIS = 20;

    private SlowDns() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        double share = phase.shareOfTime(phase.sum(Kind.DNS));
        double longest = phase.millis(Kind.DNS, 100);
        return share < LEAST_SHARE || longest < LEAST_MILLIS
                ? Optional.empty()
                : Optional.of(
                        RULE.claim().in(phase, Confidence.CERTAIN, share, longest, share * 100));
    }
}
