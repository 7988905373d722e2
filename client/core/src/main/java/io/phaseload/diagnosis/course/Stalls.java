package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import java.util.Comparator;
import java.util.Optional;

/** Times in which nothing ended, at uneven distances. */
public final class Stalls {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("standstill"), Stalls::judge).unlessClientLimited();

    private static final double LEAST_IMPACT = 0.02;
    private static final double NANOS = 1e9;

    private Stalls() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return Standstill.of(phase)
                .filter(stalls -> stalls.periodSeconds().isEmpty())
                .filter(stalls -> stalls.impact() >= LEAST_IMPACT)
                .map(stalls -> diagnosis(phase, stalls));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Standstill stalls) {
        Episode longest = stalls.episodes().stream()
                .max(Comparator.comparingLong(Episode::longestNanos))
                .orElseThrow();
        int count = stalls.episodes().size();
        return RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        stalls.impact(),
                        count == 1 ? "once" : count + " times",
                        stalls.longestMillis(),
                        phase.startSeconds() + longest.fromNanos() / NANOS,
                        stalls.usualMillis());
    }
}
