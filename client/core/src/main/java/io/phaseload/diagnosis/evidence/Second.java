package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What one interval of a phase, about a second, showed of all operations together.
 *
 * @param start since the run's start
 * @param length to its end
 * @param requests that ended in it
 * @param failures of these, by cause
 * @param bytes that were received
 * @param medianNanos of the service times; 0 without a request
 * @param maxNanos the longest of them
 * @param client what is kept of the {@link Figures} of the client's machine
 * @param server what is kept of those of servers
 */
public record Second(
        Duration start,
        Duration length,
        long requests,
        Map<String, Long> failures,
        long bytes,
        long medianNanos,
        long maxNanos,
        Map<String, Double> client,
        Map<String, Double> server) {

    /** What an interval showed. */
    static Second of(Interval interval) {
        long requests = 0;
        long bytes = 0;
        Map<String, Long> failures = new TreeMap<>();
        for (Tally operation : interval.operations()) {
            requests += operation.requests();
            bytes += operation.counters().bytesReceived();
            operation.causes().forEach((cause, failed) -> failures.merge(cause, failed.count(), Long::sum));
        }
        Histogram service = Tallies.sum(interval.operations(), Kind.SERVICE);
        return new Second(
                interval.start(),
                interval.length(),
                requests,
                // Most seconds have none, and all are kept.
                failures.isEmpty() ? Map.of() : failures,
                bytes,
                service.getValueAtPercentile(50),
                service.getMaxValue(),
                Figures.kept(interval.client()),
                interval.server().map(Figures::kept).orElse(Map.of()));
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
