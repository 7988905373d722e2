package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Optional;
import java.util.stream.Stream;

/** Requests that were sent just when the server closed their idle connection. */
public final class IdleTimeout {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("idle-timeout"), IdleTimeout::judge);

    private static final int LEAST = 3;
    private static final double MOST = 0.9;

    /** The longest pauses over the shortest. */
    private static final double ALIKE = 1.1;

    private IdleTimeout() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long failed = phase.failed(Cause.UNKNOWN_IF_READ);
        return failed == 0 || phase.isAtOnce() || Resets.explains(phase)
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                isSeen(phase) ? Confidence.LIKELY : Confidence.POSSIBLE,
                                phase.share(failed),
                                failed));
    }

    /** Whether it is pauses that requests fail after. */
    static boolean isSeen(PhaseSeries phase) {
        FailedRequests such = FailedRequests.with(phase, Cause.UNKNOWN_IF_READ);
        long[] failed = idle(such.sampled().stream());
        long[] others = idle(phase.requests().filter(of -> !of.failed()));
        if (phase.isAtOnce() || failed.length < LEAST || others.length < LEAST) {
            return false;
        }
        long usual = at(others, 1 - MOST);
        long longest = at(others, MOST);
        return longest <= ALIKE * usual
                ? phase.all().counters().reconnects() >= 2 * such.count()
                : at(failed, 1 - MOST) > longest;
    }

    private static long at(long[] sorted, double part) {
        return sorted[(int) (part * (sorted.length - 1))];
    }

    private static long[] idle(Stream<SampledRequest> of) {
        return of.mapToLong(request -> request.connection().idleNanos())
                .filter(nanos -> nanos >= 0)
                .sorted()
                .toArray();
    }
}
