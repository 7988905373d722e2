package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Tally;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Responses of one operation that are either fast or slow, with next to none between. */
public final class TwoSpeeds {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                            new Claim(
                                    "two-speeds",
                                    About.SERVER,
                                    "{slowPercent:%.0f} % of '{operation}' took about {slowMs:%.1f} ms,"
                                            + " the others about {fastMs:%.1f} ms, and next to none took a"
                                            + " time between: two paths through the service, or one slow"
                                            + " instance of several.",
                                    "Compare the instances behind the address, and what misses a cache."
                                            + " To make sure, ask each instance alone.",
                                    "Of an operation with at least 500 requests, 5 to 60 % took at least 3"
                                            + " times as long as the median of the others, with a gap: no"
                                            + " stretch of times a factor 2 wide between the two groups"
                                            + " holds more than a tenth of the smaller group."),
                            TwoSpeeds::judge)
                    .unlessClientLimited();

    private static final int LEAST_REQUESTS = 500;
    private static final double LEAST_SLOW = 0.05;
    private static final double MOST_SLOW = 0.60;
    private static final double GAP = 2;
    private static final double MOST_BETWEEN = 0.10;
    private static final double FACTOR = 3;

    private TwoSpeeds() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        for (int i = 0; i < phase.operations().size(); i++) {
            Tally operation = phase.operations().get(i);
            if (operation.failed() == 0 || operation.failed() < operation.requests() / 100) {
                Optional<Diagnosis> found =
                        judge(phase, phase.names().get(i), operation.histogram(Kind.SERVICE));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Looks for the emptiest gap, whose lower edge moves in steps of 5 % of the requests. */
    private static Optional<Diagnosis> judge(PhaseSeries phase, String name, Histogram times) {
        long all = times.getTotalCount();
        if (all < LEAST_REQUESTS) {
            return Optional.empty();
        }
        for (int percent = 40; percent <= 95; percent++) {
            long edge = times.getValueAtPercentile(percent);
            long far = (long) (edge * GAP);
            if (far >= times.getMaxValue()) {
                return Optional.empty();
            }
            long slow = times.getCountBetweenValues(far, times.getMaxValue());
            long between = times.getCountBetweenValues(times.nextNonEquivalentValue(edge), far - 1);
            double share = (double) slow / all;
            if (share >= LEAST_SLOW && share <= MOST_SLOW && between <= MOST_BETWEEN * slow) {
                long fastMedian = times.getValueAtPercentile((1 - share) * 50);
                long slowMedian = times.getValueAtPercentile((1 - share / 2) * 100);
                if (slowMedian >= FACTOR * fastMedian) {
                    return Optional.of(
                            RULE.claim()
                                    .in(
                                            phase,
                                            Confidence.POSSIBLE,
                                            share,
                                            share * 100,
                                            name,
                                            slowMedian / 1e6,
                                            fastMedian / 1e6));
                }
            }
        }
        return Optional.empty();
    }
}
