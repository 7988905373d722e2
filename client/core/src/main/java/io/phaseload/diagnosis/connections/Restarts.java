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
import java.util.List;
import java.util.Optional;

/** Moments at which connections are reset and refused, and at no other time. */
public final class Restarts {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "restarts",
                    About.SERVER,
                    "{failed:%d} of {requests:%d} requests failed in {bursts:%d} short bursts of at"
                            + " most {longestSeconds:%.2f} s, the first {firstSeconds:%.1f} s after the"
                            + " phase's start: connections were reset or refused then, and at no other"
                            + " time. The server, or a proxy before it, restarted or crashed.",
                    "Read the server's log and its supervisor's of these moments: crashes, a watchdog,"
                            + " a deployment, a reload.",
                    "At least 3 requests, and 0.1 %, and 90 % of all failures, were refused a"
                            + " connection or lost it before a response, at least 3 of them refused."
                            + " The sampled ones are bunched in time (half of the variance, p < 0.0001)"
                            + " in bursts of less than 1 s that are at least 0.3 s apart and take at"
                            + " most half of the phase. A longer one is an 'outage'."),
            Restarts::judge);

    private static final Cause REFUSED = Cause.CONNECT_REFUSED;
    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;
    private static final double MOST = 0.9;
    private static final double BUNCHED = 0.5;
    private static final double MOST_OF_PHASE = 0.5;
    private static final long LONG = 1_000_000_000L;
    private static final long APART = 300_000_000L;

    private Restarts() {}

    /** Whether a phase's failures are such. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests such = FailedRequests.with(phase, REFUSED, Cause.RESET_BEFORE_RESPONSE, Cause.UNKNOWN_IF_READ);
        List<SampledRequest> sampled = such.sampled();
        if (!such.matter(LEAST, LEAST_SHARE)
                || such.count() < MOST * phase.all().failed()
                || phase.failed(REFUSED) < LEAST
                || sampled.isEmpty()
                || phase.facts().stream()
                        .noneMatch(operation -> operation.failed().byTime().explains(BUNCHED))) {
            return Optional.empty();
        }
        long[] ends =
                sampled.stream().mapToLong(SampledRequest::endNanos).sorted().toArray();
        int bursts = 1;
        long start = ends[0];
        long longest = 0;
        long sum = 0;
        for (int i = 1; i < ends.length; i++) {
            if (ends[i] - ends[i - 1] > APART) {
                bursts++;
                start = ends[i];
            } else {
                sum += ends[i] - ends[i - 1];
                longest = Math.max(longest, ends[i] - start);
            }
        }
        return longest >= LONG || sum > MOST_OF_PHASE * phase.wall().toNanos()
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                such.share(),
                                such.count(),
                                phase.all().requests(),
                                bursts,
                                longest / 1e9,
                                ends[0] / 1e9));
    }
}
