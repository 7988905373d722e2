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
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("standstill"), Stalls::judge)
            .unlessClientLimited()
            .unlessInWarmup();

    private static final double LEAST_IMPACT = 0.02;
    private static final double NANOS = 1e9;

    private static final String SOME_WAITED = "some [requests] were open, which ended at the same time";
    private static final String ALL_WAITED = "[requests] were open and none ended";
    private static final String SOME_STOOD_STILL =
            "one of several instances, or something that a part of them needs, stood still while others went on";
    private static final String ALL_STOOD_STILL = "the server stood still as a whole";

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
        boolean some = stalls.isOfSome();
        return RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        stalls.impact(),
                        count == 1 ? "once" : count + " times",
                        phase.words().text(some ? SOME_WAITED : ALL_WAITED),
                        stalls.longestMillis(),
                        phase.startSeconds() + longest.fromNanos() / NANOS,
                        stalls.usualMillis(),
                        some ? SOME_STOOD_STILL : ALL_STOOD_STILL);
    }
}
