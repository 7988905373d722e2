package io.phaseload.sweep.rows;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import io.phaseload.run.RunListener;
import io.phaseload.stats.BatchMeans;
import io.phaseload.stats.Estimate;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Collects what a trial measures in the phases that count, its {@linkplain Phase#measured measured phases} unless told
 * otherwise. It keeps each second's response times packed, a few KiB per operation, so that long trials fit into
 * memory. Called by one thread at a time; read when the run is over.
 */
public final class Window implements RunListener {

    private final List<String> phases;
    private final List<Tally> sums = new ArrayList<>();
    private final List<List<Tally>> seconds = new ArrayList<>();
    private Duration wall = Duration.ZERO;

    /**
     * Makes an empty one.
     *
     * @param plan of the trial
     * @param counted the names of the phases that count
     */
    public Window(Plan plan, List<String> counted) {
        phases = List.copyOf(counted);
        for (int i = 0; i < plan.scenario().operations().size(); i++) {
            sums.add(new Tally());
            seconds.add(new ArrayList<>());
        }
    }

    @Override
    public void interval(Interval interval) {
        if (phases.contains(interval.phase())) {
            for (int i = 0; i < sums.size(); i++) {
                Tally tally = interval.operations().get(i);
                sums.get(i).add(tally);
                seconds.get(i).add(responses(tally));
            }
        }
    }

    @Override
    public void phaseFinished(Phase phase, Duration lasted) {
        if (phases.contains(phase.name())) {
            wall = wall.plus(lasted);
        }
    }

    /** {@return the names of the phases that count} */
    List<String> phases() {
        return phases;
    }

    /**
     * The figures of an operation.
     *
     * @param operation its place in the scenario
     * @return over all measured phases
     */
    Figures figures(int operation) {
        return Figures.of(sums.get(operation), wall);
    }

    /**
     * How many independent samples the response times are worth, judging by how the share of those above the median
     * changes from second to second.
     *
     * @param operation its place in the scenario
     * @return at most the number of requests; empty for fewer than ten seconds
     */
    Optional<Long> effectiveSamples(int operation) {
        Histogram all = sums.get(operation).histogram(Timing.RESPONSE);
        return atMost(operation, all.getValueAtPercentile(50))
                .map(part -> part.effectiveSamples(part.mean() * (1 - part.mean()), all.getTotalCount()));
    }

    /**
     * A percentile of the response times with its 95 % interval.
     *
     * @param operation its place in the scenario
     * @param percent 0 to 100
     * @return in nanoseconds; empty for fewer than ten seconds, or if the samples are worth too few
     */
    Optional<Estimate> percentile(int operation, double percent) {
        Histogram all = sums.get(operation).histogram(Timing.RESPONSE);
        return atMost(operation, all.getValueAtPercentile(percent))
                .flatMap(part -> Estimate.ofQuantile(
                        percent / 100, p -> Math.max(1, all.getValueAtPercentile(100 * p)), part, all.getTotalCount()));
    }

    /** The share of requests that took at most this long, second by second. */
    private Optional<BatchMeans> atMost(int operation, long nanos) {
        Histogram all = sums.get(operation).histogram(Timing.RESPONSE);
        // Up to the end of its bucket: values within one can't be told apart.
        long most = all.highestEquivalentValue(nanos);
        List<Tally> course = seconds.get(operation);
        return BatchMeans.of(
                course.stream()
                        .mapToDouble(second -> second.requests() == 0
                                ? 0
                                : second.histogram(Timing.RESPONSE).getCountBetweenValues(0, most))
                        .toArray(),
                course.stream().mapToDouble(Tally::requests).toArray());
    }

    /** Packed, without its other times. */
    private static Tally responses(Tally of) {
        return Tally.of(Map.of(Timing.RESPONSE, of.histogram(Timing.RESPONSE)), Map.of(), of.counters(), Map.of());
    }
}
