package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Requests without a response in time: the tail of slow ones, or some that nobody answers. */
public final class Timeouts {

    /** Successes nearly reach the timeout. */
    public static final DiagnosisRule TOO_SHORT = DiagnosisRule.ofPhase(
                    Claim.of("timeout-too-short"), phase -> judge(phase, true))
            .unlessClientLimited();

    /** Successes stay far below the timeout. */
    public static final DiagnosisRule UNANSWERED = DiagnosisRule.ofPhase(
                    Claim.of("unanswered"), phase -> judge(phase, false))
            .unlessClientLimited();

    private static final double NEAR = 0.6;
    private static final int LEAST_NEAR = 3;
    private static final int LEAST = 3;
    private static final double BUNCHED = 0.2;

    private Timeouts() {}

    /** Whether the timeouts depend on when requests were sent. */
    private static boolean isOfTime(PhaseSeries phase) {
        return FailedRequests.with(phase, Cause.READ_TIMEOUT).onset().isPresent()
                || phase.facts().stream()
                        .anyMatch(of -> of.failed(each -> each.outcome().cause().equals(Cause.READ_TIMEOUT))
                                .byTime()
                                .explains(BUNCHED));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, boolean near) {
        long timedOut = FailedRequests.with(phase, Cause.READ_TIMEOUT).withoutStalls();
        if (timedOut < LEAST || phase.all().succeeded() == 0) {
            return Optional.empty();
        }
        Histogram successes = phase.all().responseOfSuccesses();
        long slowest =
                successes.getTotalCount() < 1_000 ? successes.getMaxValue() : successes.getValueAtPercentile(99.9);
        double timeout = phase.responseTimeout().toNanos();
        boolean reaches = slowest >= NEAR * timeout
                && successes.getCountBetweenValues((long) (NEAR * timeout), successes.getMaxValue()) >= LEAST_NEAR;
        if (reaches != near || near && isOfTime(phase)) {
            return Optional.empty();
        }
        return Optional.of((near ? TOO_SHORT : UNANSWERED)
                .claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        phase.share(timedOut),
                        timedOut,
                        phase.all().requests(),
                        timeout / 1e6,
                        slowest / 1e6));
    }
}
