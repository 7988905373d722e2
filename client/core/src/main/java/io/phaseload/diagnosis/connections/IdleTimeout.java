package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import java.util.stream.Stream;

/** Requests that were sent just when the server closed their idle connection. */
public final class IdleTimeout {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "idle-timeout",
                    About.SERVER,
                    "{failed:%d} requests were sent just when the server ended their kept"
                            + " connection: its keep-alive timeout may be about as long as"
                            + " the users' pauses.",
                    "Make the server's keep-alive timeout longer than any caller's pause, and"
                            + " a caller's shorter than the server's.",
                    "Requests of users who pause failed with 'connection ended, unknown if"
                            + " read', and 'resets' doesn't explain them. It is likely if 3 or more of the"
                            + " sampled ones failed, 90 % of them after a longer pause of their connection"
                            + " than 90 % of the successes; or if all pauses are alike, and the server"
                            + " closed twice as many connections in time to be noticed. It is only possible"
                            + " otherwise, of fewer failures: a server that crashes as soon as it"
                            + " reads a request looks the same."),
            IdleTimeout::judge);

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
        return of.mapToLong(SampledRequest::idleNanos)
                .filter(nanos -> nanos >= 0)
                .sorted()
                .toArray();
    }
}
