package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.statistics.Bursts;
import io.phaseload.measure.Cause;
import java.util.Optional;
import java.util.regex.Pattern;

/** Bursts of failures, and none at other times. */
public final class Restarts {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("restarts"), Restarts::judge);

    /** The same for any status, and at the phase's start: no rule explains these failures. */
    public static final DiagnosisRule LAST = DiagnosisRule.ofPhase(RULE.claim(), phase -> ofProxy(phase, true));

    private static final Cause REFUSED = Cause.CONNECT_REFUSED;

    private static final int UNAVAILABLE = 503;
    private static final int UNAUTHORIZED = 401;
    private static final Pattern OF_TIME = Pattern.compile("check (not:)?time\\b");

    private static final String RESTARTED =
            "The server, an instance of it or a proxy before it restarted, crashed or was replaced";
    private static final String AWAY =
            "An instance was away for so long, or a circuit breaker or a limit refused what came then";
    private static final String LOGGED_OUT =
            "Sessions or tokens that were valid until then were lost, as by a restart, an emptied store or another"
                    + " key, or they expired at the same time, and [users] got new ones";
    private static final String TAKEN_AWAY = "A route, a version, data or a permission was away for so long";
    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;
    private static final double MOST = 0.9;
    private static final double BUNCHED = 0.5;
    private static final double MOST_OF_PHASE = 0.5;

    /** Of a phase with several bursts, which other times lie between. */
    private static final double MOST_OF_SEVERAL = 0.7;

    private static final long LONG = 1_000_000_000L;
    private static final int LEAST_EACH = 5;

    /** As many show that one at the phase's start or end is cut off. */
    private static final int LEAST_WHOLE = 3;

    private static final long LEAST_DISTANCE = 2_000_000_000L;
    private static final double MOST_CHANCE = 1e-6;

    private Restarts() {}

    /** Whether a phase's failures are such. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests such = FailedRequests.with(phase, REFUSED, Cause.RESET_BEFORE_RESPONSE, Cause.UNKNOWN_IF_READ);
        return phase.failed(REFUSED) >= LEAST
                        && such.matter(LEAST, LEAST_SHARE)
                        && such.count() >= MOST * phase.all().failed()
                        && !such.sampled().isEmpty()
                        && phase.facts().stream()
                                .anyMatch(
                                        operation -> operation.failed().byTime().explains(BUNCHED))
                ? Optional.of(Bursts.of(such.sampled()))
                        .filter(bursts -> bursts.longestNanos() < LONG)
                        .flatMap(bursts -> diagnosis(phase, such, bursts, false))
                : ofProxy(phase, false);
    }

    /** A proxy answers for an instance that is away; as long as others are there, it may take longer. */
    private static Optional<Diagnosis> ofProxy(PhaseSeries phase, boolean last) {
        FailedRequests such = new FailedRequests(
                phase,
                cause -> cause.isReset()
                        || cause.equals(REFUSED)
                        || cause.equals(Cause.UNKNOWN_IF_READ)
                        || cause.isStatus(status ->
                                status >= 400 && (last || status != Statuses.CONFLICT) && !Statuses.limits(status))
                        || isContent(cause));
        Bursts bursts = Bursts.of(such.sampled());
        long wall = phase.wall().toNanos();
        Bursts whole = bursts.within(last ? 0 : Bursts.APART_NANOS, wall - Bursts.APART_NANOS);
        int count = whole.all().size();
        boolean real = phase.isConstant()
                && such.matter(LEAST, LEAST_SHARE)
                && such.count() >= MOST * phase.all().failed()
                && whole.fewest() >= LEAST_EACH
                && (count <= Math.max(1, wall / LEAST_DISTANCE)
                        || whole.periodSeconds().isPresent() && isOfServer(such))
                && (count == bursts.all().size() || count >= LEAST_WHOLE)
                && bursts.chance(wall) < MOST_CHANCE;
        return real ? diagnosis(phase, such, bursts, last) : Optional.empty();
    }

    /**
     * A limit of requests in a window of time comes at even distances, and so does the end of connections' lifetime;
     * neither has such statuses.
     */
    private static boolean isOfServer(FailedRequests such) {
        return such.sampled().stream()
                .allMatch(of -> of.status() >= 500 && of.status() != UNAVAILABLE || of.status() == UNAUTHORIZED);
    }

    /** Whether a response has another content or form than it should; not that it comes too late. */
    private static boolean isContent(Cause cause) {
        return cause.isCheck() && !OF_TIME.matcher(cause.key()).lookingAt();
    }

    /** Whether all are of one status. */
    private static boolean isAlways(int status, FailedRequests such) {
        return such.sampled().stream().allMatch(of -> of.status() == status);
    }

    private static String why(FailedRequests such) {
        if (such.sampled().stream()
                .allMatch(of -> isContent(of.outcome().cause())
                        || of.status() >= 400 && of.status() < 500 && of.status() != UNAUTHORIZED)) {
            return TAKEN_AWAY;
        }
        // Breakers and limits use it, too.
        return isAlways(UNAVAILABLE, such) ? AWAY : isAlways(UNAUTHORIZED, such) ? LOGGED_OUT : RESTARTED;
    }

    private static Optional<Diagnosis> diagnosis(PhaseSeries phase, FailedRequests such, Bursts bursts, boolean last) {
        double most = bursts.all().size() >= LEAST_WHOLE ? MOST_OF_SEVERAL : MOST_OF_PHASE;
        return bursts.sumNanos() > most * phase.wall().toNanos()
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                last
                                                || isAlways(UNAVAILABLE, such)
                                                || isAlways(UNAUTHORIZED, such)
                                                        && bursts.all().size() > 1
                                        ? Confidence.POSSIBLE
                                        : Confidence.LIKELY,
                                such.share(),
                                such.count(),
                                phase.all().requests(),
                                such.inWords(),
                                bursts.all().size() == 1
                                        ? "a burst"
                                        : bursts.all().size()
                                                + " bursts"
                                                + bursts.periodSeconds()
                                                        .map(" every %.1f s"::formatted)
                                                        .orElse(""),
                                bursts.longestNanos() / 1e9,
                                bursts.all().get(0).fromNanos() / 1e9,
                                phase.words().text(why(such))));
    }
}
