package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Distances;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.MostAtATime;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Refusals by a status that says so, such as 429, or while the same number of requests succeeds each second. */
public final class RateLimit {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(Claim.of("rate-limit"), RateLimit::judge);

    private static final int UNAVAILABLE = 503;
    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.01;

    /** Fewer are as steady by chance. */
    private static final long LEAST_SUCCESSES = 30;

    private static final double MAX_VARIATION = 0.15;

    /** Of what a constant probability of refusals would let successes vary. */
    private static final double LIMITED = 0.5;

    /** Of a variation: one request in some hundreds a second. */
    private static final double ROUNDING = 0.003;

    /** A burst that succeeded at first, in seconds of the rate. */
    private static final double BURST = 0.5;

    private static final int LEAST_SECONDS = 3;
    private static final double MOST_AT_A_TIME = 0.8;
    /** So many seconds tell a variation from one that is twice as large: fewer need more. */
    private static final double FEW = 15;

    private RateLimit() {}

    /** Whether a phase's refusals may be such. */
    static boolean explains(RunSeries run, PhaseSeries phase) {
        return judge(run, phase).isPresent();
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        return phase.all().failures().keySet().stream()
                .flatMapToInt(cause -> cause.status().stream())
                .filter(RateLimit::mayLimit)
                .boxed()
                // The usual ones first.
                .sorted(Comparator.comparing(
                        status -> status == 429 ? 0 : Statuses.limits(status) ? 1 : status == UNAVAILABLE ? 2 : 3))
                .flatMap(status -> judge(run, phase, status).stream())
                .findFirst();
    }

    /** Services also refuse with 400, 403, 420, 529 and 999; a proxy says 502 and 504 of something else. */
    private static boolean mayLimit(int status) {
        return status == 400 || status == 403 || status > 410 && status != 502 && status != 504;
    }

    /** A limit of one operation is one of its own requests and successes. */
    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries whole, int status) {
        int[] refusing = IntStream.range(0, whole.names().size())
                .filter(i -> whole.operations().get(i).failures().containsKey(Cause.ofStatus(status)))
                .toArray();
        return refusing.length == 1
                ? judge(run, whole, whole.only(refusing[0]), whole.ofInWords(refusing[0]), status)
                : judge(run, whole, whole, "", status);
    }

    private static Optional<Diagnosis> judge(
            RunSeries run, PhaseSeries whole, PhaseSeries phase, String of, int status) {
        FailedRequests refused = FailedRequests.withStatus(phase, one -> one == status);
        List<Second> refusing =
                phase.steady().stream().filter(second -> refused.in(second) > 0).toList();
        Steadiness rate = Steadiness.of(refusing, second -> second.perSecond(second.succeeded()));
        boolean steady = refusing.size() >= LEAST_SECONDS && rate.mean() > 0 && rate.variation() <= MAX_VARIATION;
        boolean byStatus = Statuses.limits(status);
        if (!refused.matter(LEAST, LEAST_SHARE) || !byStatus && !(steady && isLimit(refusing, refused, rate))) {
            return Optional.empty();
        }
        OptionalLong atATime = MostAtATime.of(whole, refused);
        boolean shown = byStatus || isShown(phase, refused, refusing, rate);
        if (!byStatus
                && (atATime.isPresent()
                        || !shown && (status != UNAVAILABLE || mayBeOfUsers(run, whole, phase, status)))) {
            return Optional.empty();
        }
        double perSecond = steady
                ? rate.mean()
                : phase.all().succeeded() * 1e9 / Math.max(1, phase.wall().toNanos());
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        byStatus ? Confidence.CERTAIN : shown ? Confidence.LIKELY : Confidence.POSSIBLE,
                        whole.share(refused.count()),
                        refused.count(),
                        phase.all().requests(),
                        of,
                        status,
                        retryAfter(phase.detail(Cause.ofStatus(status))),
                        perSecond,
                        atATime.isPresent()
                                ? phase.words()
                                        .text(
                                                "on average, and nearly none while %d others were under way: a limit of [requests]"
                                                        + " at a time")
                                        .formatted(atATime.getAsLong())
                                : phase.words().text(pattern(phase, refused, steady, perSecond))));
    }

    /** Whether the successes are what is limited, and not a share of the requests. */
    private static boolean isLimit(List<Second> refusing, FailedRequests refused, Steadiness rate) {
        Steadiness share = Steadiness.of(refusing, of -> (double) of.succeeded() / of.requests());
        return refused.dispersion() < LIMITED
                && refusing.stream().mapToLong(Second::succeeded).sum() >= LEAST_SUCCESSES
                && rate.variation() <= share.variation() + ROUNDING;
    }

    /**
     * Whether it may as well be a limit of users, such as seats: with fewer of them fewer are refused, and successes
     * don't come at even distances, as a limit of the rate makes them.
     */
    private static boolean mayBeOfUsers(RunSeries run, PhaseSeries whole, PhaseSeries phase, int status) {
        return run.withFewer(whole, of -> FailedRequests.withStatus(of, one -> one == status))
                        .isPresent()
                && !isEven(phase);
    }

    private static boolean isEven(PhaseSeries phase) {
        return Distances.areEven(phase.requests().filter(of -> !of.failed()).toList());
    }

    private static String pattern(PhaseSeries phase, FailedRequests refused, boolean steady, double perSecond) {
        if (!steady) {
            return "on average, but not evenly: a limit of a longer time, of one key of several, or"
                    + " of [requests] at a time";
        }
        double burst = burst(phase, refused, perSecond);
        return burst > BURST * perSecond
                ? "after the first %.0f had used up a burst: a rate limit, such as a token bucket".formatted(burst)
                : "all along: a rate limit";
    }

    /** Successes beyond the rate, up to the end of the first second with refusals. */
    private static double burst(PhaseSeries phase, FailedRequests refused, double perSecond) {
        double burst = 0;
        for (Second second : phase.seconds()) {
            burst += second.succeeded() - perSecond * second.length().toNanos() / 1e9;
            if (refused.in(second) > 0) {
                break;
            }
        }
        return burst;
    }

    /** The {@code Retry-After} of the first refusal. */
    private static String retryAfter(String detail) {
        return detail.startsWith(Outcome.HttpFailure.RETRY_AFTER) ? " and " + detail.split(";", 2)[0] + " s" : "";
    }

    /**
     * A limit of requests at a time lets as many pass as end, which is steady, too: it has at least one under way all
     * the time. So are the successes of a constant load if each n-th request fails.
     */
    private static boolean isShown(
            PhaseSeries phase, FailedRequests refused, List<Second> refusing, Steadiness successes) {
        double atATime = successes.mean() * phase.all().responseOfSuccesses().getMean() / 1e9;
        Steadiness requests = Steadiness.of(refusing, second -> second.perSecond(second.requests()));
        return atATime < MOST_AT_A_TIME
                && (requests.variation() >= (1 + FEW / refusing.size()) * successes.variation() + ROUNDING
                        || !(phase.load() instanceof Load.Open) && phase.hasAll() && isEven(phase)
                        || burst(phase, refused, successes.mean()) > BURST * successes.mean());
    }
}
