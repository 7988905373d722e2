package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.measure.Outcome;
import io.phaseload.verdict.Finding.About;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Refusals by status while the same number of requests succeeds each second. */
public final class RateLimit {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                    new Claim(
                            "rate-limit",
                            About.SERVER,
                            "{refused:%d} of {requests:%d} requests were refused with status"
                                    + " {status}{retryAfter}, while {succeededPerSecond:%.1f} a second"
                                    + " succeeded all along: a rate limit.",
                            "Raise the limit for this client, or send no more than it allows"
                                    + " (--rate). To make sure, run at half that rate: nothing is"
                                    + " refused.",
                            "At least 1 % of the requests were refused with 429 or 503, and the"
                                    + " successes per whole second, at least 3 of them, vary by at"
                                    + " most 15 % (standard deviation over mean) while more was"
                                    + " asked. With 429 it is certain; with 503 it is likely if on average"
                                    + " less than 0.8 of these successes are under way: otherwise it"
                                    + " may be a limit of requests at a time."),
                    RateLimit::judge);

    private static final double LEAST_SHARE = 0.01;
    private static final double MAX_VARIATION = 0.15;
    private static final int LEAST_SECONDS = 3;
    private static final double MOST_AT_A_TIME = 0.8;

    private RateLimit() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return judge(phase, 429).or(() -> judge(phase, 503));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, int status) {
        Outcome like = new Outcome.HttpFailure(status);
        long refused = phase.failed(like);
        List<Second> steady = phase.steady();
        if (phase.share(refused) < LEAST_SHARE || steady.size() < LEAST_SECONDS) {
            return Optional.empty();
        }
        Steadiness rate = Steadiness.of(steady, second -> second.perSecond(second.succeeded()));
        if (rate.mean() == 0 || rate.variation() > MAX_VARIATION) {
            return Optional.empty();
        }
        return Optional.of(
                RULE.claim()
                        .in(
                                phase,
                                confidence(phase, status, rate.mean()),
                                phase.share(refused),
                                refused,
                                phase.all().requests(),
                                status,
                                retryAfter(phase.detail(like)),
                                rate.mean()));
    }

    /** What the first refusal asks for. */
    private static String retryAfter(String detail) {
        return detail.startsWith(Outcome.HttpFailure.RETRY_AFTER)
                ? " and " + detail.split(";", 2)[0] + " s"
                : "";
    }

    /**
     * A limit of requests at a time lets as many pass as end, which is steady, too. It has at least
     * one under way all the time.
     */
    private static Confidence confidence(PhaseSeries phase, int status, double perSecond) {
        if (status == 429) {
            return Confidence.CERTAIN;
        }
        Histogram successes = phase.all().responseOfSuccesses();
        double atATime = perSecond * successes.getMean() / 1e9;
        return atATime < MOST_AT_A_TIME ? Confidence.LIKELY : Confidence.POSSIBLE;
    }
}
