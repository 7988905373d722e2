package io.phaseload.compare;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.result.store.StoredRun;
import io.phaseload.stats.BatchMeans;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The intervals of one phase of a run, for one operation or all, in order of time. */
final class Series {

    private final List<Tally> tallies;
    private final double[] seconds;
    private final Histogram responses;

    /** The operation is an index in the scenario, or −1 for all. */
    Series(StoredRun run, String phase, int operation) {
        List<Interval> intervals = run.intervals().stream()
                .filter(interval -> interval.phase().equals(phase))
                .toList();
        tallies = intervals.stream()
                .map(interval -> operation < 0
                        ? Tallies.sum(interval.operations())
                        : interval.operations().get(operation))
                .toList();
        seconds = intervals.stream()
                .mapToDouble(interval -> interval.length().toNanos() / 1e9)
                .toArray();
        responses = Tallies.sum(tallies).histogram(Timing.RESPONSE);
    }

    int intervals() {
        return tallies.size();
    }

    long requests() {
        return responses.getTotalCount();
    }

    /** A quantile of the response times, from 0 to 1, in ns; at least 1. */
    double responseNanos(double quantile) {
        return Math.max(1, responses.getValueAtPercentile(100 * quantile));
    }

    /** The share of requests that took at most this long. */
    Optional<BatchMeans> atMost(double nanos) {
        // Up to the end of its bucket: values within one can't be told apart.
        long most = responses.highestEquivalentValue((long) nanos);
        return part(tally -> {
            Histogram own = tally.histogram(Timing.RESPONSE);
            return own.getTotalCount() == 0 ? 0 : own.getCountBetweenValues(0, most);
        });
    }

    /** The share of requests that failed. */
    Optional<BatchMeans> failed() {
        return part(Tally::failed);
    }

    /** Requests per second, in a phase of that length. */
    Optional<BatchMeans> rate(double wallSeconds) {
        double[] requests = tallies.stream().mapToDouble(Tally::requests).toArray();
        double[] weights = new double[seconds.length];
        double sum = 0;
        for (double length : seconds) {
            sum += length;
        }
        for (int i = 0; i < weights.length; i++) {
            // Intervals of merged runs can overlap.
            weights[i] = seconds[i] * wallSeconds / sum;
        }
        return BatchMeans.of(requests, weights);
    }

    private Optional<BatchMeans> part(ToDoubleFunction<Tally> counted) {
        return BatchMeans.of(
                tallies.stream().mapToDouble(counted).toArray(),
                tallies.stream().mapToDouble(Tally::requests).toArray());
    }
}
