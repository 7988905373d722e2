package io.phaseload.cluster;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Plan;
import io.phaseload.result.Agents.Difference;
import io.phaseload.stats.BatchMeans;
import io.phaseload.timing.Timing;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * By how much an agent differs from all others together: seconds of the same phase are compared, one by one, so that
 * what all of them see, such as a slow server, doesn't count. Pure.
 */
final class AgentDifference {

    /** Student's factor for 95 % and ten batches, the fewest that there are. */
    private static final double T = 2.262;

    /** Agents never are quite alike. */
    private static final double LEAST_PERCENT = 10;

    private AgentDifference() {}

    /** Empty with less than ten seconds in which it and others sent something, or if agents send different journeys. */
    static Optional<Difference> of(Member member, List<Member> all, Plan plan) {
        List<Member> others = all.stream().filter(other -> other != member).toList();
        double share = (double) member.part().turns().size()
                / Math.max(1, others.stream().mapToInt(of -> turns(of)).sum());
        List<Double> times = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        for (String phase : plan.measuredPhases()) {
            if (!areAlike(plan, phase, member.part().of())) {
                continue;
            }
            List<Interval> own = seconds(member, phase);
            List<List<Interval>> theirs =
                    others.stream().map(of -> seconds(of, phase)).toList();
            for (int i = 0; i < own.size(); i++) {
                int second = i;
                Tally here = Tallies.sum(own.get(i).operations());
                Tally there = Tallies.sum(theirs.stream()
                        .filter(seconds -> second < seconds.size())
                        .flatMap(seconds -> seconds.get(second).operations().stream())
                        .toList());
                if (here.requests() > 0 && there.requests() > 0) {
                    times.add(Math.log(median(here) / median(there)));
                    rates.add(Math.log(here.requests() / (there.requests() * share)));
                }
            }
        }
        return means(times).flatMap(time -> means(rates)
                .map(rate -> new Difference(percent(time.mean()), error(time), percent(rate.mean()), error(rate))));
    }

    /** Journeys are dealt in turns, as agents are: these may be in step, and agents send others. */
    private static boolean areAlike(Plan plan, String phase, int agents) {
        return plan.scenario()
                .journeys()
                .map(journeys -> BigInteger.valueOf(journeys.turns(phase).length))
                .map(round -> round.gcd(BigInteger.valueOf(agents)).equals(BigInteger.ONE))
                .orElse(true);
    }

    private static int turns(Member member) {
        return member.part().turns().size();
    }

    /** Whole seconds of a phase: the last one is of any length. */
    private static List<Interval> seconds(Member member, String phase) {
        List<Interval> all = member.intervals().stream()
                .filter(interval -> interval.phase().equals(phase))
                .toList();
        return all.subList(0, Math.max(0, all.size() - 1));
    }

    private static double median(Tally tally) {
        return Math.max(1, tally.histogram(Timing.RESPONSE).getValueAtPercentile(50));
    }

    private static Optional<BatchMeans> means(List<Double> logs) {
        double[] weights = new double[logs.size()];
        Arrays.fill(weights, 1);
        return BatchMeans.of(logs.stream().mapToDouble(Double::doubleValue).toArray(), weights);
    }

    private static double percent(double log) {
        return 100 * Math.expm1(log);
    }

    private static double error(BatchMeans of) {
        return 100 * Math.exp(of.mean()) * Math.sinh(T * of.standardError());
    }

    /** Whether that is more than chance, and enough to matter. */
    static boolean isAlarming(Difference difference) {
        return Math.abs(difference.p50Percent()) - difference.p50ErrorPercent() > LEAST_PERCENT
                || Math.abs(difference.ratePercent()) - difference.rateErrorPercent() > LEAST_PERCENT;
    }
}
