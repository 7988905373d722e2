package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Trend;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import io.phaseload.timing.Timing;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** First requests of a run that wait for what the server makes ready only then. */
public final class SlowStart {

    /** The rule. */
    public static final DiagnosisRule RULE =
            new DiagnosisRule(Claim.of("slow-start"), SlowStart::judge).unlessClientLimited();

    /** The same of any measured phase, and of times that fall slowly: no rule explains them. */
    public static final DiagnosisRule LAST =
            DiagnosisRule.ofPhase(RULE.claim(), SlowStart::judgeLast).unlessClientLimited();

    private static final long START_NANOS = 300_000_000;
    private static final double LEAST_NANOS = 5e8;
    private static final double FACTOR = 20;

    /** Code that isn't compiled yet, and empty caches, are slow for longer, but not as slow. */
    private static final long LONG_START_NANOS = 600_000_000;

    private static final double LONG_LEAST_NANOS = 2e7;
    private static final double LONG_FACTOR = 3;
    private static final double LEAST_EXPLAINED = 0.8;
    private static final double SLOWLY_LEAST_NANOS = 5e7;
    private static final double MOST = 0.6;
    private static final double MOST_OF_PHASE = 0.5;
    private static final double LATER = 1.0 / 3;
    private static final int OVERTAKEN = 2;
    private static final double HALF = 0.5;

    private SlowStart() {}

    private static List<Diagnosis> judge(RunSeries run) {
        return run.phases().stream()
                .limit(1)
                .filter(phase -> run.measured().contains(phase.name()))
                .flatMap(phase -> phase.facts().stream().map(facts -> judge(phase, facts)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, Facts facts) {
        long usual = facts.medianNanos();
        return judge(phase, facts, Math.max(LEAST_NANOS, FACTOR * usual), START_NANOS)
                .or(() ->
                        judge(phase, facts, Math.max(LONG_LEAST_NANOS + usual, LONG_FACTOR * usual), LONG_START_NANOS))
                .or(() -> judgeStep(phase, facts));
    }

    /** Looks for a moment from which on all are fast. */
    private static Optional<Diagnosis> judgeStep(PhaseSeries phase, Facts facts) {
        List<SampledRequest> successes = successes(facts);
        Trend trend = Trend.falling(successes);
        return isFall(phase, trend, LONG_LEAST_NANOS)
                        && trend.stepNanos().isPresent()
                        && Trend.beforeFall(successes).isEmpty()
                ? Optional.of(diagnosis(phase, facts, trend, trend.stepNanos().getAsDouble(), Confidence.LIKELY))
                : Optional.empty();
    }

    private static Optional<Diagnosis> judgeLast(PhaseSeries phase) {
        return phase.facts().stream()
                .flatMap(facts -> {
                    List<SampledRequest> successes = successes(facts);
                    Trend trend = Trend.falling(successes);
                    return isFall(phase, trend, SLOWLY_LEAST_NANOS)
                                    && Trend.beforeFall(successes).isEmpty()
                            ? Stream.of(diagnosis(phase, facts, trend, trend.fallenNanos(), Confidence.POSSIBLE))
                            : Stream.of();
                })
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static List<SampledRequest> successes(Facts facts) {
        return facts.undisturbed().stream().filter(of -> of.sentNanos() >= 0).toList();
    }

    private static boolean isFall(PhaseSeries phase, Trend trend, double least) {
        double slow = trend.firstNanos();
        double fast = trend.lastNanos();
        return phase.isConstant()
                && trend.explained() >= LEAST_EXPLAINED
                && slow >= LONG_FACTOR * fast
                && slow >= fast + least;
    }

    private static Diagnosis diagnosis(
            PhaseSeries phase, Facts facts, Trend trend, double untilNanos, Confidence confidence) {
        double slow = trend.firstNanos();
        double fast = trend.lastNanos();
        long first = successes(facts).stream()
                .filter(of -> of.sentNanos() < untilNanos)
                .count();
        return RULE.claim()
                .in(
                        phase,
                        confidence,
                        phase.shareOfTime(first * (slow - fast) / facts.share()),
                        Math.round(first / facts.share()),
                        facts.name(),
                        slow / 1e6,
                        fast / 1e6,
                        ", or got more capacity later");
    }

    /** Looks for slow responses at the start, at least for some time. */
    private static Optional<Diagnosis> judge(PhaseSeries phase, Facts facts, double limit, long least) {
        List<SampledRequest> candidates = least == START_NANOS ? facts.slow().requests() : facts.requests();
        List<SampledRequest> slow = candidates.stream()
                .filter(of -> !of.failed() && !of.stalled() && of.serviceNanos() >= limit)
                .toList();
        long start = startNanos(facts, slow, limit);
        List<SampledRequest> first =
                slow.stream().filter(of -> of.sentNanos() <= start).toList();
        long longest = longest(first);
        long later = longest(candidates.stream()
                .filter(of -> !of.failed() && of.sentNanos() > start)
                .toList());
        // One of many users may have asked for something rare.
        boolean alone = first.size() == 1 && phase.users() > 1;
        if (first.isEmpty()
                || alone
                || start < least
                || later > LATER * longest
                || isBurst(phase, longest, first.size() / facts.share())
                || overtaken(facts, first, limit)) {
            return Optional.empty();
        }
        boolean byConnection = first.size() > 1
                && first.stream().allMatch(SampledRequest::isNew)
                && facts.requests().stream().noneMatch(of -> of.isNew() && of.serviceNanos() < limit);
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        byConnection ? Confidence.POSSIBLE : Confidence.LIKELY,
                        phase.shareOfTime((double) longest * first.size()),
                        (long) first.size(),
                        facts.name(),
                        longest / 1e6,
                        facts.medianNanos() / 1e6,
                        byConnection
                                ? phase.words()
                                        .text(", or it is slow with the first [request] over each connection: none"
                                                + " was made later")
                                : ""));
    }

    /** Whether users who pause most of the time began at once, and waited no longer than for one another. */
    private static boolean isBurst(PhaseSeries phase, double longestNanos, double requests) {
        double mean = phase.sum(Timing.SERVICE) / Math.max(1, phase.all().requests());
        return phase.load() instanceof Load.Closed closed
                && closed.ramp().isZero()
                && phase.inFlight() < HALF * phase.users()
                && requests <= phase.users()
                && longestNanos <= phase.users() * mean;
    }

    /** Whether other users' requests were served before the first of these: the server was ready for them. */
    private static boolean overtaken(Facts facts, List<SampledRequest> first, double limit) {
        long from = first.get(0).sentNanos();
        long end = first.stream().mapToLong(SampledRequest::endNanos).min().orElse(from);
        Set<Integer> users = first.stream().map(SampledRequest::user).collect(Collectors.toSet());
        long served = facts.requests().stream()
                .filter(of -> !of.failed() && of.serviceNanos() < limit)
                .filter(of -> of.sentNanos() > from && of.endNanos() < end && !users.contains(of.user()))
                .count();
        return served / facts.share() > OVERTAKEN * first.size();
    }

    /** Until when the phase starts: slow responses are what is usual then. */
    private static long startNanos(Facts facts, List<SampledRequest> slow, double limit) {
        // A last slow one may be late.
        for (int i = slow.size() - 1; i >= 0 && i >= MOST * slow.size(); i--) {
            long last = slow.get(i).sentNanos();
            // First, for counting takes longest where many are slow all the time.
            if (last > MOST_OF_PHASE * facts.wall().toNanos()) {
                continue;
            }
            long sent = 0;
            long late = 0;
            for (SampledRequest request : facts.requests()) {
                if (!request.failed() && request.sentNanos() <= last) {
                    sent++;
                    late += request.serviceNanos() >= limit ? 1 : 0;
                }
            }
            if (late >= MOST * sent) {
                return Math.max(START_NANOS, last);
            }
        }
        return START_NANOS;
    }

    private static long longest(List<SampledRequest> of) {
        return of.stream().mapToLong(SampledRequest::serviceNanos).max().orElse(0);
    }
}
