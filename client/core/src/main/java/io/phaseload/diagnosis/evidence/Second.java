package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
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
 * @param client what became of the client and its machine in it
 */
public record Second(
        Duration start,
        Duration length,
        long requests,
        Map<String, Long> failures,
        long bytes,
        long medianNanos,
        long maxNanos,
        HostFigures client) {

    /** What an interval showed. */
    static Second of(Interval interval) {
        long requests = 0;
        long bytes = 0;
        Map<String, Long> failures = new TreeMap<>();
        for (Tally operation : interval.operations()) {
            requests += operation.requests();
            bytes += operation.counters().bytesReceived();
            operation
                    .causes()
                    .forEach((cause, failed) -> failures.merge(cause, failed.count(), Long::sum));
        }
        Histogram service = service(interval);
        return new Second(
                interval.start(),
                interval.length(),
                requests,
                failures,
                bytes,
                service.getValueAtPercentile(50),
                service.getMaxValue(),
                interval.client());
    }

    private static Histogram service(Interval interval) {
        if (interval.operations().size() == 1) {
            return interval.operations().get(0).histogram(Kind.SERVICE);
        }
        return Tally.sum(interval.operations()).histogram(Kind.SERVICE);
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
