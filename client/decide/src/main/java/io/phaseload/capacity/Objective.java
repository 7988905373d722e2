package io.phaseload.capacity;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Threshold;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One condition of a service level objective: an upper limit of a percentile, of a mean or of the failed part. A
 * percentile is decided as a share: {@code p99 < 250ms} holds if less than 1 % of the requests take longer.
 *
 * @param threshold the condition
 */
public record Objective(Threshold threshold) {

    /** Added to an objective without a limit of failures: a service that only rejects requests has no capacity. */
    private static final String FAILURES = "failures < 1%";

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double ALL = 100;
    private static final double ROOM = 1.5;

    /**
     * Checks the condition.
     *
     * @throws IllegalArgumentException if it isn't an upper limit, or its figure depends on the length of a run
     */
    public Objective {
        boolean figure = threshold.figure() instanceof Figure.Time time
                ? time.statistic() == Statistic.MEAN
                        || time.statistic().percent() > 0 && time.statistic().percent() < ALL
                : threshold.figure() == Figure.Count.FAILURES && threshold.unit() == Threshold.Unit.PERCENT;
        if (!figure || !threshold.operator().isUpperLimit() || threshold.abort() || threshold.limitValue() == 0) {
            throw new ValueException("upper limits above 0 of a mean, a percentile or failures in percent");
        }
        if (threshold.phase().isPresent()) {
            throw new ValueException("no phase, or */operation");
        }
    }

    /**
     * Reads a service level objective.
     *
     * @param text thresholds, separated by commas
     * @return its conditions; if none limits failures, {@code failures < 1%} is the last one
     * @throws IllegalArgumentException with a message that begins with "expected"
     */
    public static List<Objective> parse(String text) {
        List<Objective> all = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            all.add(new Objective(Threshold.parse(part.strip())));
        }
        if (all.stream().noneMatch(Objective::isAboutFailures)) {
            all.add(new Objective(Threshold.parse(FAILURES)));
        }
        return List.copyOf(all);
    }

    /**
     * Checks that it is about something in a plan.
     *
     * @param plan the plan
     * @return this
     * @throws IllegalArgumentException naming the operations that there are
     */
    public Objective check(Plan plan) {
        List<String> known =
                plan.scenario().operations().stream().map(Operation::name).toList();
        threshold.operation().filter(name -> !known.contains(name)).ifPresent(name -> {
            throw new ValueException("one of the operations " + String.join(", ", known));
        });
        return this;
    }

    /** {@return the limit of what a step's seconds count: a share from 0 to 1, or a mean in milliseconds} */
    double limit() {
        return threshold.figure() instanceof Figure.Time time
                ? isShare() ? 1 - time.statistic().percent() / ALL : threshold.limitValue()
                : threshold.limitValue() / ALL;
    }

    /** {@return {@code true} if requests count as good or bad} */
    boolean isShare() {
        return !(threshold.figure() instanceof Figure.Time time) || time.statistic() != Statistic.MEAN;
    }

    /** {@return {@code true} if it limits failures} */
    boolean isAboutFailures() {
        return threshold.figure() == Figure.Count.FAILURES;
    }

    /** {@return the unit of its figure} */
    String unit() {
        return threshold.figure() instanceof Figure.Time ? "ms" : "%";
    }

    /**
     * The requests of a second.
     *
     * @param interval the second
     * @param operations the names of the plan's operations, in order
     * @return those that it is about
     */
    Tally tally(Interval interval, List<String> operations) {
        return threshold
                .operation()
                .map(operations::indexOf)
                .filter(index -> index >= 0)
                .map(index -> interval.operations().get(index))
                .orElseGet(() -> Tallies.sum(interval.operations()));
    }

    /** {@return the number of requests or times} */
    double weight(Tally tally) {
        return threshold.figure() instanceof Figure.Time time ? tally.count(time.of()) : tally.requests();
    }

    /** {@return the bad requests, or the sum of the times in milliseconds} */
    double sum(Tally tally) {
        if (!(threshold.figure() instanceof Figure.Time time)) {
            return tally.failed();
        }
        Histogram times = tally.histogram(time.of());
        if (!isShare()) {
            return times.getTotalCount() == 0 ? 0 : times.getMean() * times.getTotalCount() / NANOS_PER_MILLI;
        }
        if (times.getTotalCount() == 0) {
            return 0;
        }
        long most = times.highestEquivalentValue((long) (threshold.limitValue() * NANOS_PER_MILLI));
        long slow = times.getTotalCount() - times.getCountBetweenValues(0, most);
        // A request that timed out would have taken longer.
        return time.of() == Timing.RESPONSE ? Math.max(slow, tally.counters().censored()) : slow;
    }

    /** {@return the figure in its unit; 0 of nothing} */
    double figure(Tally tally) {
        if (!(threshold.figure() instanceof Figure.Time time)) {
            return tally.requests() == 0 ? 0 : ALL * tally.failed() / tally.requests();
        }
        Histogram times = tally.histogram(time.of());
        if (times.getTotalCount() == 0) {
            return 0;
        }
        double nanos = time.statistic() == Statistic.MEAN
                ? times.getMean()
                : times.getValueAtPercentile(time.statistic().percent());
        return nanos / NANOS_PER_MILLI;
    }

    /** The same limit for another time of the same requests; this one, if it isn't about response times. */
    Objective of(Timing timing) {
        return threshold.figure() instanceof Figure.Time time && time.of() == Timing.RESPONSE
                ? new Objective(new Threshold(
                        threshold.phase(),
                        threshold.operation(),
                        new Figure.Time(timing, time.statistic()),
                        threshold.operator(),
                        threshold.limit(),
                        threshold.unit(),
                        false))
                : this;
    }

    /**
     * The users that a rate needs at least, so that they aren't the limit while the service meets this objective.
     *
     * @param perSecond the rate
     * @return by Little's law, half as many again; with one second for each request if it limits no response time
     */
    public double users(double perSecond) {
        boolean time = threshold.figure() instanceof Figure.Time of && of.of() == Timing.RESPONSE;
        return ROOM * perSecond * (time ? threshold.limitValue() / 1000 : 1);
    }

    @Override
    public String toString() {
        return threshold.toString();
    }
}
