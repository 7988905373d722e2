package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.statistics.RisingSteps;
import io.phaseload.diagnosis.statistics.Significance;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A share of failures that grows while the load stays the same. */
public final class GrowingFailures {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("growing-failures"), GrowingFailures::judge);

    private static final int LEAST_SECONDS = 5;
    private static final int LEAST = 10;
    private static final double LEAST_LAST = 0.05;
    private static final double GROWS = 2;
    private static final double LEAST_EXPLAINED = 0.8;
    private static final double SURE = 0.9;

    /** Seconds on the way, in which the share is neither near its first level nor near its last one. */
    private static final int LEAST_BETWEEN = 2;

    private static final double NEAR = 0.15;

    private GrowingFailures() {}

    /** An operation's share of failures in each second, and the rising steps that fit it best. */
    private record Growth(FailedRequests such, List<Second> seconds, double[] levels, double explained) {

        static Growth of(FailedRequests such) {
            List<Second> seconds = such.phase().steady().stream()
                    .filter(second -> second.requests() > 0)
                    .toList();
            double[] shares = seconds.stream()
                    .mapToDouble(second -> (double) such.in(second) / second.requests())
                    .toArray();
            double[] levels = RisingSteps.fit(shares);
            double mean = DoubleStream.of(shares).average().orElse(0);
            double all = 0;
            double left = 0;
            for (int i = 0; i < shares.length; i++) {
                all += (shares[i] - mean) * (shares[i] - mean);
                left += (shares[i] - levels[i]) * (shares[i] - levels[i]);
            }
            return new Growth(such, seconds, levels, all == 0 ? 0 : 1 - left / all);
        }

        boolean isReal() {
            return seconds.size() >= LEAST_SECONDS
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
            int third = seconds.size() / 3;
            List<Second> early = seconds.subList(0, third);
            List<Second> late = seconds.subList(seconds.size() - third, seconds.size());
            return Significance.isMore(failed(early), requests(early), failed(late), requests(late));
        }

        private long failed(List<Second> of) {
            return of.stream().mapToLong(such::in).sum();
        }

        private static long requests(List<Second> of) {
            return of.stream().mapToLong(Second::requests).sum();
        }
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        if (!phase.isConstant() || Overload.of(phase).isPresent()) {
            return Optional.empty();
        }
        return IntStream.range(0, phase.names().size())
                .mapToObj(operation -> growth(run, phase, operation))
                .filter(Growth::isReal)
                .max(Comparator.comparingLong(growth -> growth.such().count()))
                .map(growth -> diagnosis(phase, growth));
    }

    private static Growth growth(RunSeries run, PhaseSeries phase, int operation) {
        boolean findable = run.findable().contains(phase.names().get(operation));
        return Growth.of(new FailedRequests(
                phase.only(operation), cause -> !cause.isStatus(status -> !isOfServer(status, findable))));
    }

    /** There is another rule for limits, and what isn't found may have been sold out. */
    private static boolean isOfServer(int status, boolean findable) {
        return status != 429 && (findable || status >= 500 || Statuses.wantsCredentials(status));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Growth growth) {
        FailedRequests such = growth.such();
        return RULE.claim()
                .in(
                        phase,
                        growth.explained() >= SURE ? Confidence.LIKELY : Confidence.POSSIBLE,
                        phase.share(such.count()),
                        growth.first() * 100,
                        such.phase().names().get(0),
                        growth.last() * 100,
                        such.inWords());
    }
}
