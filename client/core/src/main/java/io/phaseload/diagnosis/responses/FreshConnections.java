package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.connections.SynRetransmits;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Responses that are slow because they are the first over their connection. */
public final class FreshConnections {

    /** The rule. */
    public static final DiagnosisRule RULE = new DiagnosisRule(Claim.of("slow-first-request"), FreshConnections::judge)
            .unlessClientLimited()
            .unlessInWarmup();

    private static final int LEAST = 20;
    private static final double FACTOR = 3;
    private static final double SAME = 1.2;
    private static final double LEAST_NANOS = 5e6;
    private static final long NEAR_NANOS = 500_000_000;
    private static final int LEAST_THEN = 3;
    private static final int LEAST_WITH_FEWER = 5;
    private static final double MOST_CHANCE = 0.05;
    private static final int LEAST_COMPARED = 10;
    private static final int MOST_COMPARED = 100;
    private static final double SLOWER = 2;
    private static final double MOST = 0.6;
    private static final double UNANSWERED = 0.1;
    private static final long START_NANOS = 1_000_000_000;

    private FreshConnections() {}

    private static List<Diagnosis> judge(RunSeries run) {
        return run.phases().stream()
                .flatMap(phase -> phase.facts().stream()
                        .map(facts -> judge(phase, facts, phase == run.phases().get(0))
                                .filter(found -> !areFastWithFewer(run, phase, facts))))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, Facts facts, boolean isFirst) {
        // A connection that waits to be accepted has its first request wait, too, some of them in vain.
        if (SynRetransmits.explains(phase) || areUnanswered(facts)) {
            return Optional.empty();
        }
        List<SampledRequest> all = facts.undisturbed();
        List<SampledRequest> started =
                all.stream().filter(of -> of.sentNanos() > START_NANOS).toList();
        boolean early = fresh(started).size() < LEAST;
        List<SampledRequest> successes = early ? all : started;
        List<SampledRequest> fresh = fresh(successes);
        List<SampledRequest> later =
                successes.stream().filter(of -> !of.isNew()).toList();
        double slow = Facts.medianNanos(fresh);
        double fast = Facts.medianNanos(later);
        if (fresh.size() < LEAST
                || later.size() < LEAST
                || slow < FACTOR * fast
                || slow < fast + LEAST_NANOS
                || !facts.slow().byNew().explains(0.2)
                || !areSlowerThanOthersThen(fresh, later).orElseGet(() -> early || takeTheSame(fresh, isFirst))
                || early && !takeTheSame(fresh, isFirst)) {
            return Optional.empty();
        }
        double share = fresh.size() / (double) successes.size();
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        share * (slow - fast) / (share * slow + (1 - share) * fast),
                        slow / 1e6,
                        fast / 1e6,
                        (long) fresh.size(),
                        facts.name()));
    }

    /** Whether they were no slower than others with fewer users: then load is what they wait for, such as a queue. */
    private static boolean areFastWithFewer(RunSeries run, PhaseSeries phase, Facts facts) {
        List<SampledRequest> many = fresh(facts.undisturbed());
        return run.phases().stream()
                .filter(few -> few.users() < phase.users())
                .flatMap(few -> few.facts().stream())
                .filter(few -> few.operation() == facts.operation())
                .anyMatch(few -> {
                    List<SampledRequest> fresh = fresh(few.undisturbed());
                    List<SampledRequest> later =
                            few.undisturbed().stream().filter(of -> !of.isNew()).toList();
                    return fresh.size() >= LEAST_WITH_FEWER
                                    && later.size() >= LEAST_WITH_FEWER
                                    && Facts.medianNanos(fresh) < Facts.medianNanos(later) + LEAST_NANOS
                            || areFaster(fresh, many);
                });
    }

    /** Whether all of a few, such as the only one of each user, are far faster than many, and not by chance. */
    private static boolean areFaster(List<SampledRequest> few, List<SampledRequest> many) {
        double limit = Facts.medianNanos(many) / FACTOR;
        return few.stream().allMatch(of -> of.serviceNanos() <= limit)
                && Chance.ofOrder(few.size(), many.size()) <= MOST_CHANCE;
    }

    /** Whether they are slower than what was sent at the same time: else the time may be what is slow. */
    private static Optional<Boolean> areSlowerThanOthersThen(List<SampledRequest> fresh, List<SampledRequest> later) {
        int compared = 0;
        int slower = 0;
        int step = 1 + fresh.size() / MOST_COMPARED;
        for (int i = 0; i < fresh.size(); i += step) {
            SampledRequest one = fresh.get(i);
            List<SampledRequest> then = later.stream()
                    .filter(of -> Math.abs(of.sentNanos() - one.sentNanos()) < NEAR_NANOS)
                    .toList();
            if (then.size() >= LEAST_THEN) {
                compared++;
                slower += one.serviceNanos() >= SLOWER * Facts.medianNanos(then) ? 1 : 0;
            }
        }
        return compared < LEAST_COMPARED ? Optional.empty() : Optional.of(slower >= MOST * compared);
    }

    private static boolean areUnanswered(Facts facts) {
        List<SampledRequest> fresh = fresh(facts.requests());
        long unanswered = fresh.stream()
                .filter(of -> of.cause().filter(Cause.READ_TIMEOUT::equals).isPresent())
                .count();
        return unanswered >= UNANSWERED * fresh.size();
    }

    private static List<SampledRequest> fresh(List<SampledRequest> of) {
        return of.stream().filter(SampledRequest::isNew).toList();
    }

    /** Whether requests take a time of their own; at a run's start, rather than until a moment that they share. */
    private static boolean takeTheSame(List<SampledRequest> fresh, boolean atStart) {
        long[] times = sorted(fresh, SampledRequest::serviceNanos);
        long[] ends = sorted(fresh, SampledRequest::endNanos);
        int low = times.length / 10;
        int high = times.length - 1 - low;
        long spread = times[high] - times[low];
        return times[high] <= SAME * times[low] && !(atStart && 2 * spread > ends[high] - ends[low]);
    }

    private static long[] sorted(List<SampledRequest> of, ToLongFunction<SampledRequest> figure) {
        return of.stream().mapToLong(figure).sorted().toArray();
    }
}
