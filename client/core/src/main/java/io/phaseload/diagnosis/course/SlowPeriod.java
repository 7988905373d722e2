package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.verdict.Finding.About;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** Times in which everything was slow, and went on. */
public final class SlowPeriod {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "slow-period",
                            About.SERVER,
                            "from {fromSeconds:%.1f} to {toSeconds:%.1f} s into the run{others} nearly all requests{of}"
                                    + " took about {slowMs:%.0f} ms, at other times {otherMs:%.1f} ms in the median:"
                                    + " something else took what they need, or a cache was empty.",
                            "Look for what ran at that time: a batch, a backup, another load on the same machine or"
                                    + " database, a deployment, a flushed cache.",
                            "In a phase of 3 s or longer, in at most half of it, there are stretches of time in which 80 % or more of an operation's"
                                    + " requests are slow, with less than 3 fast ones in a row, and they have 80 % of its slow"
                                    + " requests (chance less than 1 in a million). The longest is 0.3 s or longer, doesn't begin"
                                    + " or end with the phase, and its median is 3 times the usual one, and 15 ms more; its first"
                                    + " requests are as slow, so that no line grew. Requests went on ending, otherwise it is"
                                    + " 'standstill'. At even distances it is 'periodic-stalls'."),
                    SlowPeriod::judge)
            .unlessClientLimited();

    private static final Duration LEAST_WALL = Duration.ofSeconds(3);
    private static final double LEAST_NANOS = 3e8;
    private static final double FACTOR = 3;
    private static final double LEAST_MILLIS = 15;
    private static final double NANOS = 1e9;

    private SlowPeriod() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.wall().compareTo(LEAST_WALL) < 0 || Standstill.of(phase).isPresent()
                ? Optional.empty()
                : SlowPeriods.of(phase)
                        .filter(slow -> slow.periodSeconds().isEmpty())
                        .filter(SlowPeriods::beginAtOnce)
                        .filter(SlowPeriods::end)
                        .filter(slow -> slow.slowMillis() >= FACTOR * slow.usualMillis()
                                && slow.slowMillis() >= slow.usualMillis() + LEAST_MILLIS)
                        .flatMap(slow -> diagnosis(phase, slow));
    }

    private static Optional<Diagnosis> diagnosis(PhaseSeries phase, SlowPeriods slow) {
        Episode longest = slow.episodes().stream()
                .max(Comparator.comparingLong(of -> of.lastNanos() - of.fromNanos()))
                .orElseThrow();
        int more = slow.episodes().size() - 1;
        return longest.lastNanos() - longest.fromNanos() < LEAST_NANOS
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                slow.facts().slowPart(),
                                phase.startSeconds() + longest.fromNanos() / NANOS,
                                phase.startSeconds() + longest.toNanos() / NANOS,
                                more == 0 ? "" : more == 1 ? ", and once more," : ", and " + more + " times more,",
                                phase.ofInWords(slow.facts().operation()),
                                slow.slowMillis(),
                                slow.usualMillis()));
    }
}
