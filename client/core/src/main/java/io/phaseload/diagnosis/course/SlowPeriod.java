package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Times in which everything was slow, and went on. */
public final class SlowPeriod {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("slow-period"), SlowPeriod::judge)
            .unlessClientLimited()
            .unlessInWarmup();

    /** The same of any share, if the load stays the same: no rule explains these times. */
    public static final DiagnosisRule LAST =
            DiagnosisRule.ofPhase(RULE.claim(), SlowPeriod::judgeLast).unlessClientLimited();

    private static final Duration LEAST_WALL = Duration.ofSeconds(3);
    private static final double LEAST_NANOS = 3e8;
    private static final double FACTOR = 3;
    private static final double LEAST_MILLIS = 15;
    private static final double MOST_MIXED = 0.8;
    private static final double NANOS = 1e9;

    private SlowPeriod() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.wall().compareTo(LEAST_WALL) < 0 || Standstill.of(phase).isPresent()
                ? Optional.empty()
                : judge(phase, SlowPeriods.of(phase)).or(() -> judge(phase, SlowPeriods.ofVaried(phase)));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, Optional<SlowPeriods> found) {
        // What a timer decides has a rule of its own.
        return found.filter(slow -> !slow.facts().isSlowBySeconds())
                .filter(slow -> slow.periodSeconds().isEmpty())
                .filter(slow -> phase.constantRate().isPresent() || slow.beginAtOnce())
                .filter(slow -> isLong(phase, slow.episodes(), slow.slowMillis() - slow.usualMillis()))
                .filter(SlowPeriods::end)
                .filter(slow -> slow.slowMillis() >= FACTOR * slow.usualMillis()
                        && slow.slowMillis() >= slow.usualMillis() + LEAST_MILLIS)
                .flatMap(slow -> diagnosis(phase, slow));
    }

    /** Whether they take longer by more than they would if they waited for a slow one of other operations. */
    private static boolean isLong(PhaseSeries phase, List<Episode> times, double longerMillis) {
        return longerMillis * 1e6 >= phase.nearlyAllNanos(of -> times.stream().noneMatch(each -> each.hasSent(of)));
    }

    private static Optional<Diagnosis> diagnosis(PhaseSeries phase, SlowPeriods slow) {
        Episode longest = Episode.longest(slow.episodes()).orElseThrow();
        return longest.lastNanos() - longest.fromNanos() < LEAST_NANOS
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                slow.facts().slowPart(),
                                phase.startSeconds() + longest.fromNanos() / NANOS,
                                phase.startSeconds() + longest.toNanos() / NANOS,
                                others(slow.episodes().size() - 1),
                                "nearly all",
                                phase.ofInWords(slow.facts().operation()),
                                slow.slowMillis(),
                                slow.usualMillis()));
    }

    private static String others(int more) {
        return more == 0 ? "" : more == 1 ? ", and once more," : ", and " + more + " times more,";
    }

    private static Optional<Diagnosis> judgeLast(PhaseSeries phase) {
        return phase.wall().compareTo(LEAST_WALL) < 0 || !phase.isConstant()
                ? Optional.empty()
                : SlowTimes.of(phase)
                        // Requests that come at random times wait for each other at times, all of them, at a busy
                        // target.
                        .filter(found -> !phase.isAtRandom() || found.share() <= MOST_MIXED)
                        .filter(found -> isLong(phase, found.episodes(), found.slowMillis() - found.usualMillis()))
                        .map(found -> diagnosis(phase, found));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, SlowTimes found) {
        Episode longest = Episode.longest(found.episodes()).orElseThrow();
        return RULE.claim()
                .in(
                        phase,
                        Confidence.POSSIBLE,
                        phase.share(found.slow().size()),
                        phase.startSeconds() + longest.fromNanos() / NANOS,
                        phase.startSeconds() + longest.toNanos() / NANOS,
                        others(found.stretches().size() - 1),
                        "%.0f %% of the".formatted(found.share() * 100),
                        phase.ofInWords(found.facts().operation()),
                        found.slowMillis(),
                        found.usualMillis());
    }
}
