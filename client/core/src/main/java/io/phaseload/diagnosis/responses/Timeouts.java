package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
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

    /** Of requests without a response, and of messages that no receiver got. */
    private static final Cause[] IN_VAIN = {Cause.READ_TIMEOUT, Cause.NOT_RECEIVED};

    private static final String FIRST_ONES = ", and these were the first [requests] over their connections, which the"
            + " server may not have accepted for want of a thread or of open files";
    private static final String PAIRS = ", always those of the same pairs, as if the two connections of a pair led to"
            + " instances that know nothing of each other";

    private static final double NEAR = 0.6;
    private static final int LEAST_NEAR = 3;
    private static final int LEAST = 3;
    private static final double BUNCHED = 0.2;
    private static final double FIRST = 0.95;
    private static final double OF_PAIRS = 0.5;
    private static final int LEAST_LATER = 30;

    private Timeouts() {}

    /** Whether the timeouts depend on when requests were sent. */
    private static boolean isOfTime(PhaseSeries phase) {
        return FailedRequests.with(phase, IN_VAIN).onset().isPresent()
                || phase.facts().stream().anyMatch(of -> of.failed(
                                each -> List.of(IN_VAIN).contains(each.outcome().cause()))
                        .byTime()
                        .explains(BUNCHED));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, boolean near) {
        long timedOut = FailedRequests.with(phase, IN_VAIN).withoutStalls();
        if (timedOut < LEAST || phase.all().succeeded() == 0) {
            return Optional.empty();
        }
        Histogram successes = phase.all().responseOfSuccesses();
        double timeout = phase.responseTimeout().toNanos();
        OptionalLong later = laterSuccesses(phase);
        long slowest = later.orElseGet(() ->
                successes.getTotalCount() < 1_000 ? successes.getMaxValue() : successes.getValueAtPercentile(99.9));
        boolean reaches = slowest >= NEAR * timeout
                && (later.isPresent()
                        || successes.getCountBetweenValues((long) (NEAR * timeout), successes.getMaxValue())
                                >= LEAST_NEAR);
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
                        slowest / 1e6,
                        phase.words().text(later.isPresent() ? FIRST_ONES : areOfPairs(phase) ? PAIRS : "")));
    }

    /** Whether messages of some pairs are lost, and those of others aren't. */
    private static boolean areOfPairs(PhaseSeries phase) {
        return phase.facts().stream()
                .anyMatch(of -> of.failed(each -> each.outcome().cause().equals(Cause.NOT_RECEIVED))
                        .byUser()
                        .explains(OF_PAIRS));
    }

    /**
     * The longest time of a success over a connection that was used before, if the timeouts are those of first
     * requests: some of these may wait nearly as long until their connection is accepted.
     *
     * @return in nanoseconds
     */
    private static OptionalLong laterSuccesses(PhaseSeries phase) {
        List<SampledRequest> timedOut = FailedRequests.with(phase, IN_VAIN).sampled();
        long first = timedOut.stream().filter(SampledRequest::isNew).count();
        long[] later = phase.requests()
                .filter(of -> !of.failed() && of.connection().place() > 0)
                .mapToLong(SampledRequest::serviceNanos)
                .toArray();
        return first >= FIRST * timedOut.size() && later.length >= LEAST_LATER
                ? LongStream.of(later).max()
                : OptionalLong.empty();
    }
}
