package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import java.util.List;
import java.util.Optional;

/** Times in which nothing ended, at even distances. */
public final class PeriodicStalls {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("periodic-stalls"), PeriodicStalls::judge)
            .unlessClientLimited();

    /** Of the time of fast ones, where most are slow. */
    private static final double FAR_SLOWER = 3;

    private PeriodicStalls() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return Standstill.of(phase)
                .flatMap(stalls -> stalls.periodSeconds()
                        .map(period -> diagnosis(
                                phase,
                                stalls.facts(),
                                stalls.episodes(),
                                period,
                                stalls.isOfSome() ? "some" : "all",
                                "waited")))
                .or(() -> SlowPeriods.of(phase)
                        .filter(slow -> slow.longestMillis() >= Standstill.LEAST_MILLIS)
                        .flatMap(slow -> judge(phase, slow)))
                .or(() -> phase.constantRate()
                        .flatMap(any -> SlowPeriods.ofMost(phase))
                        .filter(slow -> slow.slowMillis() >= FAR_SLOWER * slow.fastMillis())
                        .flatMap(slow -> judge(phase, slow)));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, SlowPeriods slow) {
        return slow.periodSeconds()
                .map(period -> diagnosis(phase, slow.facts(), slow.episodes(), period, "all", "were slow"));
    }

    private static Diagnosis diagnosis(
            PhaseSeries phase, Facts facts, List<Episode> episodes, double period, String which, String did) {
        return RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        facts.slowPart(),
                        period,
                        episodes.size(),
                        which,
                        phase.ofInWords(facts.operation()),
                        did,
                        episodes.stream().mapToLong(Episode::longestNanos).max().orElse(0) / 1e6,
                        facts.medianNanos() / 1e6);
    }
}
