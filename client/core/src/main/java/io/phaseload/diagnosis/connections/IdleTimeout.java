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

    /** No server ends connections that are idle for a shorter time. */
    private static final long LEAST_IDLE_NANOS = 50_000_000;

    /** The longest pauses over the shortest. */
    private static final double ALIKE = 1.1;

    private IdleTimeout() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        boolean seen = isSeen(phase);
        long failed = seen ? failures(phase).count() : phase.failed(Cause.UNKNOWN_IF_READ);
        return failed == 0 || !seen && (phase.isAtOnce() || Resets.explains(phase))
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(phase, seen ? Confidence.LIKELY : Confidence.POSSIBLE, phase.share(failed), failed));
    }

    /** Whether it is pauses that requests fail after. */
    static boolean isSeen(PhaseSeries phase) {
        FailedRequests such = failures(phase);
        long[] failed = idle(such.sampled().stream());
        if (failed.length < LEAST || at(failed, 1 - MOST) < LEAST_IDLE_NANOS) {
            return false;
        }
        long[] others = idle(phase.requests().filter(of -> !of.failed()));
        if (others.length < LEAST) {
            return false;
        }
        long usual = at(others, 1 - MOST);
        long longest = at(others, MOST);
        return longest <= ALIKE * usual
                ? phase.all().counters().reconnects() >= 2 * such.count()
                : at(failed, 1 - MOST) > longest;
    }

    /** Farther away, its end comes a while after the request was sent. */
    private static FailedRequests failures(PhaseSeries phase) {
        return FailedRequests.with(phase, Cause.UNKNOWN_IF_READ, Cause.RESET_BEFORE_RESPONSE);
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
