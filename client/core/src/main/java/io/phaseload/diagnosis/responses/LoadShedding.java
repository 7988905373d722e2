package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Refusals that come sooner than answers. */
public final class LoadShedding {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "load-shedding",
                    About.SERVER,
                    "{refused:%d} of {requests:%d} requests were refused with 503, in"
                            + " {refusedMs:%.1f} ms in the median, while others succeeded in"
                            + " {succeededMs:%.1f} ms: the server, or a proxy before it,"
                            + " turned load away rather than queue it.",
                    "Give it more capacity, or raise the limit of its queue if the wait is"
                            + " acceptable. To make sure, read the server's or the proxy's"
                            + " log of that time.",
                    "At least 1 % of the requests were refused with 503, most failures were"
                            + " that, and their median time is at most half of the"
                            + " successes'."),
            LoadShedding::judge);

    private static final double LEAST_SHARE = 0.01;

    private LoadShedding() {}

    /** Whether a phase's refusals are such. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests refusals = FailedRequests.withStatus(phase, status -> status == 503);
        long refused = refusals.count();
        if (phase.share(refused) < LEAST_SHARE
                || !refusals.besideSuccesses()
                || SteadyFailures.isExactlyInTurn(refusals, phase.all().requests())
                || 2 * refused < phase.all().failed()
                || phase.all().succeeded() == 0) {
            return Optional.empty();
        }
        Histogram successes = phase.all().responseOfSuccesses();
        double answered = successes.getValueAtPercentile(50) / 1e6;
        double shed = phase.millis(Timing.FAILED, 50);
        return shed > answered / 2
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                // A limit of the rate, which is steadier, says more.
                                phase.share(refused) * 0.9,
                                refused,
                                phase.all().requests(),
                                shed,
                                answered));
    }
}
