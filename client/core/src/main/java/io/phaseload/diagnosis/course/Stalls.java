package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.verdict.Finding.About;
import java.util.Comparator;
import java.util.Optional;

/** Times in which nothing ended, at uneven distances. */
public final class Stalls {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "standstill",
                            About.SERVER,
                            "{times}, requests were open and none ended, for up to {stallMs:%.0f}"
                                    + " ms, at {atSeconds:%.1f} s into the run the longest; the"
                                    + " median response takes {otherMs:%.1f} ms: the server stood"
                                    + " still as a whole.",
                            "Look for what stops all of it at once: garbage collections, a lock"
                                    + " that all requests need, a blocked event loop, a CPU limit."
                                    + " Its logs of these moments say more.",
                            "At least 70 % of the time of an operation's slow responses (more than the median,"
                                    + " and as much again, 5 ms or 4 times the interquartile range) is"
                                    + " within stretches of time in which next to nothing else ended, though at least"
                                    + " 12 responses were due, and that last at most 1.5 times as"
                                    + " long as their longest response; the first 0.3 s of a phase don't count. Each has"
                                    + " slow responses of 2 or more users, who begin so close to each other that"
                                    + " independent ones do so with a chance of less than 1 in 1,000. A run with one user"
                                    + " can't show it. Requests that a stall of the client affected are left out."),
                    Stalls::judge)
            .unlessClientLimited();

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
