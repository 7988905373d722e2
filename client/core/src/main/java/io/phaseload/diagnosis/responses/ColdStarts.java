package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.diagnosis.statistics.Ranks;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.Timing;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Responses that waited until an instance had been started. */
public final class ColdStarts {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("cold-starts"), ColdStarts::judge).unlessClientLimited();

    private static final int LEAST = 5;
    private static final int LEAST_WOKEN = 3;
    private static final double MOST_CHANCE = 1e-3;
    private static final double IN_ORDER = 0.95;
    private static final double MOST = 0.8;
    private static final double FACTOR = 3;
    private static final double LEAST_NANOS = 5e7;

    /** A page that requests ask for. Journeys in step may begin with one that always takes longer. */
    private record Page(int operation, String path) {

        static Page of(SampledRequest request) {
            return new Page(request.operation(), request.path());
        }
    }

    private ColdStarts() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long starts = phase.all().count(InstanceTimings.COLD_START);
        double cold = phase.millis(InstanceTimings.COLD_START, 50);
        double median = phase.millis(Timing.RESPONSE, 50);
        return starts == 0 || cold < 2 * median
                ? afterPauses(phase)
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.CERTAIN,
                                phase.shareOfTime(phase.sum(InstanceTimings.COLD_START)),
                                starts,
                                "",
                                cold,
                                median,
                                "of all"));
    }

    /** Looks for requests that wait since none came before. */
    private static Optional<Diagnosis> afterPauses(PhaseSeries phase) {
        List<SampledRequest> all = phase.requests()
                .filter(of -> !of.failed() && !of.stalled())
                .sorted(Comparator.comparingLong(SampledRequest::serviceNanos))
                .toList();
        if (!phase.hasAll() || all.size() < 2 * LEAST) {
            return Optional.empty();
        }
        double fast = all.get(all.size() / 10).serviceNanos();
        Predicate<SampledRequest> isSlow = isSlow(all);
        Map<SampledRequest, Long> pauses = pauses(phase);
        List<SampledRequest> woken = pauses.keySet().stream().filter(isSlow).toList();
        // The pause before the first request isn't known.
        long first = woken.stream().mapToLong(SampledRequest::sentNanos).min().orElse(Long.MAX_VALUE);
        List<SampledRequest> slow = all.stream()
                .filter(isSlow)
                .filter(of -> of.sentNanos() >= first)
                .toList();
        long[] before = woken.stream().mapToLong(pauses::get).sorted().toArray();
        long[] others = pauses.keySet().stream()
                .filter(isSlow.negate())
                .mapToLong(pauses::get)
                .toArray();
        long within = slow.stream()
                .filter(of -> woken.stream()
                        .anyMatch(one -> one.sentNanos() <= of.sentNanos() && of.sentNanos() < one.endNanos()))
                .count();
        Set<Page> pages = slow.stream().map(Page::of).collect(Collectors.toSet());
        long alsoFast = all.stream()
                .filter(isSlow.negate())
                .filter(of -> pages.contains(Page.of(of)))
                .count();
        return before.length < LEAST_WOKEN
                        || others.length < LEAST
                        || alsoFast < LEAST
                        || Chance.ofOrder(before.length, others.length) > MOST_CHANCE
                        || Ranks.below(others, before) < IN_ORDER
                        || within < MOST * slow.size()
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                phase.shareOfTime(slow.stream()
                                        .mapToDouble(SampledRequest::serviceNanos)
                                        .sum()),
                                (long) slow.size(),
                                phase.words()
                                        .text(", after %d pauses of %.2f s or more without a [request]")
                                        .formatted(before.length, before[0] / 1e9),
                                Facts.medianNanos(woken) / 1e6,
                                fast / 1e6,
                                "of fast ones"));
    }

    /**
     * Far slower than the fast ones of the same operation: one that always takes longer may always come after a pause.
     */
    private static Predicate<SampledRequest> isSlow(List<SampledRequest> sorted) {
        Map<Integer, Double> limits = sorted.stream()
                .collect(Collectors.groupingBy(
                        SampledRequest::operation,
                        Collectors.collectingAndThen(Collectors.toList(), ColdStarts::limit)));
        return of -> of.serviceNanos() > limits.getOrDefault(of.operation(), Double.MAX_VALUE);
    }

    private static double limit(List<SampledRequest> sorted) {
        double fast = sorted.get(sorted.size() / 10).serviceNanos();
        return Math.max(FACTOR * fast, fast + LEAST_NANOS);
    }

    /** The pauses before requests that are sent while none is under way; not that before the first one. */
    private static Map<SampledRequest, Long> pauses(PhaseSeries phase) {
        Map<SampledRequest, Long> pauses = new IdentityHashMap<>();
        long end = Long.MAX_VALUE;
        List<SampledRequest> sent = phase.requests()
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .toList();
        for (SampledRequest of : sent) {
            if (of.sentNanos() > end) {
                pauses.put(of, of.sentNanos() - end);
            }
            end = end == Long.MAX_VALUE ? of.endNanos() : Math.max(end, of.endNanos());
        }
        return pauses;
    }
}
