package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.verdict.Finding.About;
import java.util.List;
import java.util.Optional;

/** Response times that grow while the load stays the same. */
public final class Drift {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "drift",
                            About.SERVER,
                            "under a steady load the median grew from {firstMs:%.1f} to"
                                    + " {lastMs:%.1f} ms between the first and the last third of"
                                    + " the phase: something fills up, such as memory, a table or a"
                                    + " queue.",
                            "Run it longer, and watch the server's heap, open connections and data."
                                    + " To make sure, restart the server: the next run begins fast"
                                    + " again.",
                            "Over at least 15 whole seconds of a load that doesn't change, the"
                                    + " median per second rises (Kendall's tau 0.6 or more), and"
                                    + " its mean over the last third is at least 1.5 times that"
                                    + " over the first."),
                    Drift::judge)
            .unlessClientLimited();

    private static final int LEAST_SECONDS = 15;
    private static final double LEAST_TAU = 0.6;
    private static final double LEAST_GROWTH = 1.5;

    private Drift() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Second> steady =
                phase.steady().stream().filter(s -> s.requests() > 0).toList();
        if (steady.size() < LEAST_SECONDS || !phase.isConstant() || tau(steady) < LEAST_TAU) {
            return Optional.empty();
        }
        int third = steady.size() / 3;
        double first = medianMillis(steady.subList(0, third));
        double last = medianMillis(steady.subList(steady.size() - third, steady.size()));
        return last < LEAST_GROWTH * first
                ? Optional.empty()
                : Optional.of(RULE.claim().in(phase, Confidence.LIKELY, 1 - first / last, first, last));
    }

    private static double medianMillis(List<Second> seconds) {
        return Steadiness.of(seconds, second -> second.medianNanos() / 1e6).mean();
    }

    /**
     * Kendall's rank correlation with time: of all pairs of seconds, the share in which the later one is slower, less
     * the share in which it is faster (M. G. Kendall, A New Measure of Rank Correlation, Biometrika 30, 1938).
     */
    private static double tau(List<Second> seconds) {
        long sum = 0;
        for (int i = 0; i < seconds.size(); i++) {
            for (int j = i + 1; j < seconds.size(); j++) {
                sum += Long.signum(seconds.get(j).medianNanos() - seconds.get(i).medianNanos());
            }
        }
        return sum / (seconds.size() * (seconds.size() - 1) / 2.0);
    }
}
