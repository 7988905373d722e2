package io.phaseload.capacity;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The seconds of a step as one objective sees them. Arrays must not be changed.
 *
 * @param objective the condition
 * @param sums the bad requests of each second, or the sums of their times
 * @param weights the requests of each second
 * @param figures the figure of each second, in its unit
 * @param from the figure of all seconds from an index on
 */
record StepSeries(Objective objective, double[] sums, double[] weights, double[] figures, IntToDoubleFunction from) {

    /**
     * Reads a step's seconds.
     *
     * @param intervals the seconds of all looks at the same load, in order
     * @param operations the names of the plan's operations, in order
     */
    static StepSeries of(Objective objective, List<Interval> intervals, List<String> operations) {
        List<Tally> tallies =
                intervals.stream().map(of -> objective.tally(of, operations)).toList();
        return new StepSeries(
                objective,
                tallies.stream().mapToDouble(objective::sum).toArray(),
                tallies.stream().mapToDouble(objective::weight).toArray(),
                tallies.stream().mapToDouble(objective::figure).toArray(),
                from -> objective.figure(Tallies.sum(tallies.subList(from, tallies.size()))));
    }

    int seconds() {
        return sums.length;
    }

    /** The distance of each second from the limit: 1 is at the limit. */
    double[] levels() {
        double limit = objective.threshold().limitValue();
        return Arrays.stream(figures).map(figure -> figure / limit).toArray();
    }
}
