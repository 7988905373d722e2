package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** Responses that waited until an instance had been started. */
public final class ColdStarts {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "cold-starts",
                            About.SERVER,
                            "{coldStarts:%d} requests waited until an instance had been started or"
                                    + " restored: {coldMs:%.0f} ms in the median, against"
                                    + " {medianMs:%.0f} ms of all.",
                            "Keep instances warm (provisioned concurrency), make them start faster"
                                    + " (SnapStart, a smaller package), or let the load grow slowly"
                                    + " (--ramp).",
                            "Responses said that their instance was new (header "
                                    + InstanceState.HEADER
                                    + "), and their median time is at least twice that of all."),
                    ColdStarts::judge)
            .unlessClientLimited();

    private ColdStarts() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long starts = phase.all().count(InstanceTimings.COLD_START);
        double cold = phase.millis(InstanceTimings.COLD_START, 50);
        double median = phase.millis(Timing.RESPONSE, 50);
        return starts == 0 || cold < 2 * median
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.CERTAIN,
                                phase.shareOfTime(phase.sum(InstanceTimings.COLD_START)),
                                starts,
                                cold,
                                median));
    }
}
