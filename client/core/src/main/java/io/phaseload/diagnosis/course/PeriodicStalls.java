package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.verdict.Finding.About;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Seconds with a far slower request, at even distances. */
public final class PeriodicStalls {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                            new Claim(
                                    "periodic-stalls",
                                    About.SERVER,
                                    "every {periodSeconds:%.1f} s, {stalls:%d} times, requests took up to"
                                            + " {stallMs:%.0f} ms; in other seconds the slowest took"
                                            + " {otherMs:%.1f} ms: something stalls the server at even"
                                            + " distances, such as its garbage collector, a checkpoint or a"
                                            + " timer.",
                                    "Read the garbage collector's log of the server, and look for jobs that"
                                            + " run at this distance.",
                                    "At least 4 seconds, and at most half of them, have a slowest request"
                                            + " of 5 times the median second's, and 20 ms or more; the"
                                            + " distances between them are 2 s or more and vary by at most"
                                            + " 25 % (standard deviation over mean)."),
                            PeriodicStalls::judge)
                    .unlessClientLimited();

    private static final int LEAST = 4;
    private static final double FACTOR = 5;
    private static final long LEAST_NANOS = 20_000_000;
    private static final double LEAST_PERIOD = 2;
    private static final double MAX_VARIATION = 0.25;

    private PeriodicStalls() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Second> steady = phase.steady();
        long usual = phase.median(Second::maxNanos);
        double limit = Math.max(LEAST_NANOS, FACTOR * usual);
        List<Double> starts = new ArrayList<>();
        boolean before = false;
        long longest = 0;
        for (Second second : steady) {
            boolean stalled = second.maxNanos() >= limit;
            if (stalled) {
                longest = Math.max(longest, second.maxNanos());
                if (!before) {
                    starts.add(second.startSeconds());
                }
            }
            before = stalled;
        }
        if (starts.size() < LEAST || starts.size() > steady.size() / 2) {
            return Optional.empty();
        }
        double[] distances = new double[starts.size() - 1];
        for (int i = 1; i < starts.size(); i++) {
            distances[i - 1] = starts.get(i) - starts.get(i - 1);
        }
        Steadiness distance = Steadiness.of(distances);
        double period = distance.mean();
        return period < LEAST_PERIOD || distance.variation() > MAX_VARIATION
                ? Optional.empty()
                : Optional.of(
                        RULE.claim()
                                .in(
                                        phase,
                                        Confidence.LIKELY,
                                        longest / 1e9 / period,
                                        period,
                                        starts.size(),
                                        longest / 1e6,
                                        usual / 1e6));
    }
}
