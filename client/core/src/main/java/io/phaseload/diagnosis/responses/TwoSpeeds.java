package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Cases;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.Paths;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Responses of one operation that are either fast or slow, with next to none between. */
public final class TwoSpeeds {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("two-speeds"), TwoSpeeds::judge).unlessClientLimited();

    private static final int MANY_REQUESTS = 500;
    private static final int LEAST_REQUESTS = 200;
    private static final double LEAST_SLOW = 0.02;
    private static final double MOST_SLOW = 0.60;
    private static final double GAP = 2;
    private static final double STEP = 0.25;
    private static final double MOST_BETWEEN = 0.10;
    private static final double FACTOR = 3;
    private static final double MORE = 0.1;

    private static final long LEAST_NANOS = 5_000_000;

    /** Of fewer than many requests: a busy machine makes few this slow. */
    private static final double FAR = 10;

    private static final long FAR_NANOS = 100_000_000;

    /** TCP_DELACK_MIN is 40 ms, by a timer with steps of 4 ms. */
    private static final long LEAST_DELAYED_NANOS = 38_000_000;

    private static final long MOST_DELAYED_NANOS = 52_000_000;
    private static final double MOST_WAIT = 0.8;

    private static final String BY_CONNECTION =
            "the connection decides which, so it is one slow instance of several, or one slow route";
    private static final String BY_USER =
            "each [user]'s responses are always fast or always slow: because of the [user]'s data, or of the instance or"
                    + " the route that"
                    + " its connection leads to";
    private static final String AT_RANDOM =
            "which of them is slow is random, whatever the time, the connection or the size: a"
                    + " cache that misses, one of several replicas, or one slow instance that a"
                    + " balancer picks for each [request]";
    private static final String OR_ASKED = AT_RANDOM + ", unless some [requests] ask for more than others";
    private static final String BY_PATH =
            "nearly all slow ones are those of %s, whose data is slow, or the partition or instance that has it";
    private static final String IN_PIECES =
            "these wait for about 40 ms between their first byte and their last one, as long as Linux delays an"
                    + " acknowledgement: the server, or a proxy before it, sends them in pieces with Nagle's algorithm"
                    + " (without TCP_NODELAY)";
    private static final String UNKNOWN = "two paths through the service, or one slow instance of several";

    private TwoSpeeds() {}

    /** By what has a rule of its own, or by how much was asked for. */
    private static boolean isExplained(Facts facts) {
        Cases slow = facts.slow();
        return slow.byTime().explains(0.2)
                || slow.byNew().explains(0.2)
                || slow.bySize().explains(0.4) && !waitForAcknowledgement(facts);
    }

    /**
     * Whether slow ones, and only these, pause in the middle for as long as the client's system delays an
     * acknowledgement.
     */
    private static boolean waitForAcknowledgement(Facts facts) {
        return waiting(facts.slow().requests()) >= MOST_WAIT
                && waiting(facts.undisturbed().stream()
                                .filter(of -> !facts.split().isSlow(of))
                                .toList())
                        <= 1 - MOST_WAIT;
    }

    private static double waiting(List<SampledRequest> requests) {
        long such = requests.stream()
                .filter(of -> of.firstByteNanos() >= 0)
                .mapToLong(of -> of.serviceNanos() - of.firstByteNanos())
                .filter(nanos -> nanos >= LEAST_DELAYED_NANOS && nanos <= MOST_DELAYED_NANOS)
                .count();
        return (double) such / Math.max(1, requests.size());
    }

    private static boolean isByConnection(Facts facts) {
        return facts.slow().byConnection().explains(0.3)
                || facts.slow().byUser().explains(0.3);
    }

    /** Whether a user's own data can't be the reason. */
    private static boolean isSure(RunSeries run, Facts facts) {
        return run.fixed().contains(facts.name())
                || facts.slow().byConnection().explained()
                        >= facts.slow().byUser().explained() + MORE;
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        for (int i = 0; i < phase.operations().size(); i++) {
            Tally operation = phase.operations().get(i);
            if (operation.failed() == 0 || operation.failed() < operation.requests() / 100) {
                Optional<Facts> facts = phase.facts(i);
                Optional<Diagnosis> found =
                        judge(run, phase, phase.names().get(i), operation.histogram(Timing.SERVICE), facts);
                if (found.isPresent() && facts.stream().noneMatch(TwoSpeeds::isExplained)) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Looks for the emptiest gap, whose lower edge moves in steps of a quarter of a percent. */
    private static Optional<Diagnosis> judge(
            RunSeries run, PhaseSeries phase, String name, Histogram times, Optional<Facts> facts) {
        long all = times.getTotalCount();
        if (all < LEAST_REQUESTS) {
            return Optional.empty();
        }
        double factor = all < MANY_REQUESTS ? FAR : FACTOR;
        long least = all < MANY_REQUESTS ? FAR_NANOS : LEAST_NANOS;
        for (double percent = 40; percent <= 98; percent += STEP) {
            long edge = times.getValueAtPercentile(percent);
            long far = (long) (edge * GAP);
            if (far >= times.getMaxValue()) {
                return Optional.empty();
            }
            long slow = times.getCountBetweenValues(far, times.getMaxValue());
            long between = times.getCountBetweenValues(times.nextNonEquivalentValue(edge), far - 1);
            double share = (double) slow / all;
            if (share >= LEAST_SLOW && share <= MOST_SLOW && between <= MOST_BETWEEN * slow) {
                long fastMedian = times.getValueAtPercentile((1 - share) * 50);
                long slowMedian = times.getValueAtPercentile((1 - share / 2) * 100);
                if (slowMedian >= factor * fastMedian && slowMedian - fastMedian >= least) {
                    boolean byConnection = facts.stream().anyMatch(TwoSpeeds::isByConnection);
                    Optional<Paths> paths = facts.flatMap(Facts::slowPaths);
                    boolean sure = byConnection && facts.stream().anyMatch(of -> isSure(run, of));
                    boolean inPieces = facts.stream().anyMatch(TwoSpeeds::waitForAcknowledgement);
                    return Optional.of(RULE.claim()
                            .in(
                                    phase,
                                    sure || inPieces || paths.isPresent() ? Confidence.LIKELY : Confidence.POSSIBLE,
                                    share,
                                    share * 100,
                                    name,
                                    slowMedian / 1e6,
                                    fastMedian / 1e6,
                                    inPieces
                                            ? IN_PIECES
                                            : paths.map(of -> BY_PATH.formatted(of.inWords()))
                                                    .orElseGet(() -> phase.words()
                                                            .text(pattern(
                                                                    sure,
                                                                    byConnection,
                                                                    facts,
                                                                    run.fixed().contains(name))))));
                }
            }
        }
        return Optional.empty();
    }

    private static String pattern(boolean sure, boolean byConnection, Optional<Facts> facts, boolean fixed) {
        if (sure) {
            return BY_CONNECTION;
        }
        if (byConnection) {
            return BY_USER;
        }
        return facts.isEmpty() ? UNKNOWN : fixed ? AT_RANDOM : OR_ASKED;
    }
}
