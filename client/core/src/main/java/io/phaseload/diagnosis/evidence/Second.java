package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * All operations together in one interval of a phase, about a second.
 *
 * @param start since the run's start
 * @param length to its end
 * @param requests that ended in it
 * @param failures of these, by cause
 * @param byOperation the requests and failures of each operation, in order
 * @param bytes that were received
 * @param medianNanos of the service times; 0 without a request
 * @param maxNanos the longest of them
 */
public record Second(
        Duration start,
        Duration length,
        long requests,
        Map<Cause, Long> failures,
        List<Ended> byOperation,
        long bytes,
        long medianNanos,
        long maxNanos,
        Map<String, Double> client,
        Map<String, Double> server) {

    /**
     * The requests of one operation that ended in it.
     *
     * @param requests all of them
     * @param failures of these, by cause
     */
    public record Ended(long requests, Map<Cause, Long> failures) {

        private static Ended of(Tally operation) {
            Map<Cause, Long> failures = new TreeMap<>();
            operation.failures().forEach((cause, failed) -> failures.put(cause, failed.count()));
            // Most seconds have none, and all are kept.
            return new Ended(operation.requests(), failures.isEmpty() ? Map.of() : failures);
        }
    }

    /** The figures of an interval. */
    static Second of(Interval interval) {
        long requests = 0;
        long bytes = 0;
        Map<Cause, Long> failures = new TreeMap<>();
        for (Tally operation : interval.operations()) {
            bytes += operation.counters().bytesReceived();
        }
        List<Ended> byOperation = interval.operations().stream().map(Ended::of).toList();
        for (Ended operation : byOperation) {
            requests += operation.requests();
            operation.failures().forEach((cause, failed) -> failures.merge(cause, failed, Long::sum));
        }
        Histogram service = Tallies.sum(interval.operations(), Timing.SERVICE);
        return new Second(
                interval.start(),
                interval.length(),
                requests,
                failures.isEmpty() ? Map.of() : failures,
                byOperation,
                bytes,
                service.getValueAtPercentile(50),
                service.getMaxValue(),
                Figures.kept(interval.client()),
                interval.server().map(Figures::kept).orElse(Map.of()));
    }

    /** This second with the requests of one operation alone. */
    Second only(int operation) {
        // Runs of several plans may be merged.
        Ended ended = operation < byOperation.size() ? byOperation.get(operation) : new Ended(0, Map.of());
        return new Second(
                start,
                length,
                ended.requests(),
                ended.failures(),
                List.of(ended),
                bytes,
                medianNanos,
                maxNanos,
                client,
                server);
    }

    /** How often something happened to the client's machine, of which the rate may be known. */
    double clientCount(String rate) {
        return client.getOrDefault(rate, 0.0) * length.toNanos() / 1e9;
    }

    /** Requests that failed. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Requests that succeeded. */
    public long succeeded() {
        return requests - failed();
    }

    /** Requests that ended otherwise than by the client's timeout. */
    public long answered() {
        return requests - failures.getOrDefault(Cause.READ_TIMEOUT, 0L);
    }

    /** How many of something there were, per second. */
    public double perSecond(long count) {
        return count * 1e9 / length.toNanos();
    }

    /** From the run's start, in seconds. */
    public double startSeconds() {
        return start.toNanos() / 1e9;
    }

    /** Its end from the run's start, in seconds. */
    public double endSeconds() {
        return startSeconds() + length.toNanos() / 1e9;
    }
}
