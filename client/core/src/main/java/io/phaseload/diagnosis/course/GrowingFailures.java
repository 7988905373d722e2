package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.statistics.RisingSteps;
import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.measure.recording.SampledRequest;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A share of failures that grows while the load stays the same. */
public final class GrowingFailures {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("growing-failures"), (run, phase) -> judge(run, phase, false));

    /** The same of any status, such as of what isn't found: no rule explains these failures. */
    public static final DiagnosisRule LAST =
            DiagnosisRule.ofPhaseInRun(RULE.claim(), (run, phase) -> judge(run, phase, true));

    private static final Duration LEAST_WALL = Duration.ofSeconds(5);
    private static final int PARTS = 12;
    private static final int LEAST_EACH = 5;
    private static final int LEAST = 10;
    private static final double LEAST_LAST = 0.05;
    private static final double GROWS = 2;
    private static final double LEAST_EXPLAINED = 0.8;
    private static final double SURE = 0.9;

    /** Parts on the way, in which the share is neither near its first level nor near its last one. */
    private static final int LEAST_BETWEEN = 2;

    private static final double NEAR = 0.15;

    private GrowingFailures() {}

    /** Requests that were sent in a part of the phase, and those of them that failed. */
    private record Part(long requests, long failed) {
        private double share() {
            return (double) failed / requests;
        }
    }

    /** The share of failures among an operation's requests in each part, and the rising steps that fit it best. */
    private record Growth(FailedRequests such, List<Part> parts, double[] levels, double explained) {

        /** A timeout is known late, so the time of sending counts. */
        static Growth of(FailedRequests such, List<SampledRequest> requests) {
            long last =
                    requests.isEmpty() ? 0 : requests.get(requests.size() - 1).sentNanos();
            long[] all = new long[PARTS];
            long[] failed = new long[PARTS];
            for (SampledRequest request : requests) {
                int part = (int) (PARTS * Math.max(0, request.sentNanos()) / (Math.max(0, last) + 1));
                all[part]++;
                failed[part] += request.cause().filter(such.causes()).isPresent() ? 1 : 0;
            }
            List<Part> parts = IntStream.range(0, PARTS)
                    .mapToObj(i -> new Part(all[i], failed[i]))
                    .filter(part -> part.requests() >= LEAST_EACH)
                    .toList();
            double[] shares = parts.stream().mapToDouble(Part::share).toArray();
            double[] levels = RisingSteps.fit(shares);
            return new Growth(such, parts, levels, RisingSteps.explained(shares, levels));
        }

        boolean isReal() {
            return parts.size() == PARTS
                    && such.count() >= LEAST
                    && explained >= LEAST_EXPLAINED
                    && last() >= Math.max(LEAST_LAST, GROWS * first())
                    && between() >= LEAST_BETWEEN
                    && isMore()
                    && !such.onset().map(such::from).orElse(such).isConstant();
        }

        double first() {
            return levels[0];
        }

        double last() {
            return levels[levels.length - 1];
        }

        private long between() {
            double near = NEAR * (last() - first());
            return DoubleStream.of(levels)
                    .filter(level -> level > first() + near && level < last() - near)
                    .count();
        }

        /** Whether the last third has significantly more than the first. */
        private boolean isMore() {
            List<Part> early = parts.subList(0, PARTS / 3);
            List<Part> late = parts.subList(PARTS - PARTS / 3, PARTS);
            return Significance.isMore(
                    sum(early, Part::failed),
                    sum(early, Part::requests),
                    sum(late, Part::failed),
                    sum(late, Part::requests));
        }

        private static long sum(List<Part> of, ToLongFunction<Part> count) {
            return of.stream().mapToLong(count).sum();
        }
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase, boolean last) {
        if (!phase.isConstant()
                || phase.wall().compareTo(LEAST_WALL) < 0
                || Overload.of(phase).isPresent()) {
            return Optional.empty();
        }
        return IntStream.range(0, phase.names().size())
                .mapToObj(operation -> growth(run, phase, operation, last))
                .filter(Growth::isReal)
                .max(Comparator.comparingLong(growth -> growth.such().count()))
                .map(growth -> diagnosis(phase, growth, last));
    }

    private static Growth growth(RunSeries run, PhaseSeries phase, int operation, boolean last) {
        boolean findable = last || run.findable().contains(phase.names().get(operation));
        FailedRequests such = new FailedRequests(
                phase.only(operation), cause -> !cause.isStatus(status -> !isOfServer(status, findable)));
        return Growth.of(such, phase.facts(operation).map(Facts::requests).orElse(List.of()));
    }

    /** There is another rule for limits, and what isn't found may never have been there. */
    private static boolean isOfServer(int status, boolean findable) {
        return !Statuses.limits(status) && (findable || !Statuses.isUnknown(status));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Growth growth, boolean last) {
        FailedRequests such = growth.such();
        return RULE.claim()
                .in(
                        phase,
                        growth.explained() >= SURE && !last ? Confidence.LIKELY : Confidence.POSSIBLE,
                        phase.share(such.count()),
                        growth.first() * 100,
                        such.phase().names().get(0),
                        growth.last() * 100,
                        such.inWords());
    }
}
