package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Requests without a response in time: the tail of slow ones, or some that nobody answers. */
public final class Timeouts {

    /** Successes nearly reach the timeout. */
    public static final DiagnosisRule TOO_SHORT = DiagnosisRule.ofPhase(
                    new Claim(
                            "timeout-too-short",
                            About.PLAN,
                            "{timedOut:%d} of {requests:%d} requests had no response within"
                                    + " {timeoutMs:%.0f} ms, and the slowest successes took"
                                    + " {slowestMs:%.0f} ms: the timeout cuts off the service's own"
                                    + " slow responses.",
                            "Raise --timeout above the time that you accept, or treat these"
                                    + " responses as what they are: too slow.",
                            "At least 3 requests timed out, without a stall of the client meanwhile, and p99.9 of"
                                    + " the successes, or their maximum when"
                                    + " there are fewer than 1,000, is at least 60 % of the"
                                    + " timeout. The timeouts don't begin late, nor are they bunched in time (less"
                                    + " than 20 % of the variance):"
                                    + " otherwise something made these responses slow."),
                    phase -> judge(phase, true))
            .unlessClientLimited();

    /** Successes stay far below the timeout. */
    public static final DiagnosisRule UNANSWERED = DiagnosisRule.ofPhase(
                    new Claim(
                            "unanswered",
                            About.SERVER,
                            "{timedOut:%d} of {requests:%d} requests were never answered within"
                                    + " {timeoutMs:%.0f} ms, though successes took at most"
                                    + " {slowestMs:%.0f} ms: they weren't slow, they were lost or"
                                    + " stuck.",
                            "Look for threads that hang, locks, and requests dropped by a proxy or an"
                                    + " upstream. To make sure, raise --timeout: as many time"
                                    + " out.",
                            "At least 3 requests timed out, without a stall of the client meanwhile, and p99.9 of"
                                    + " the successes, or their maximum when"
                                    + " there are fewer than 1,000, is below 60 % of the timeout, or"
                                    + " fewer than 3 take longer."),
                    phase -> judge(phase, false))
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
