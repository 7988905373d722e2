package io.phaseload.audit;

import io.phaseload.audit.ForeignRun.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The requests of a result one by one, added up as they are read. Not thread-safe. */
final class ForeignRequests {

    /** A tool that has a name for each URL would fill the memory. */
    private static final int MOST_PARTS = 200;

    private static final int DIGITS = 3;
    private static final double SECOND = 1_000;

    private final Histogram all = new Histogram(DIGITS);
    private final Map<String, Histogram> parts = new LinkedHashMap<>();
    private final TreeMap<Long, RequestSecond> seconds = new TreeMap<>();
    private double first = Double.POSITIVE_INFINITY;
    private double last = Double.NEGATIVE_INFINITY;
    private long failed;

    private static final class RequestSecond {
        private long starts;
        private double millis;

        double mean() {
            return millis / starts;
        }
    }

    /** One request; times in ms, {@code start} since any moment. */
    void add(String name, double start, double millis, boolean hasFailed) {
        long micros = Math.max(0, Math.round(millis * 1e3));
        all.recordValue(micros);
        String part = parts.size() < MOST_PARTS || parts.containsKey(name) ? name : "others";
        parts.computeIfAbsent(part, any -> new Histogram(DIGITS)).recordValue(micros);
        RequestSecond second = seconds.computeIfAbsent((long) Math.floor(start / SECOND), any -> new RequestSecond());
        second.starts++;
        second.millis += millis;
        first = Math.min(first, start);
        last = Math.max(last, start + millis);
        failed += hasFailed ? 1 : 0;
    }

    long count() {
        return all.getTotalCount();
    }

    ForeignRun run(ForeignFormat format, double users, double mostUsers, double busySeconds, double notStarted) {
        List<Part> each = new ArrayList<>();
        parts.forEach((name, times) -> each.add(new Part(name, times.getTotalCount(), ForeignTimes.of(times))));
        return new ForeignRun(
                format,
                count(),
                failed,
                (last - first) / SECOND,
                users,
                mostUsers,
                busySeconds,
                notStarted,
                ForeignTimes.of(all),
                each.size() > 1 ? each : List.of(),
                Optional.of(this));
    }

    /**
     * The p99 in ms if each user had sent a request per cycle, also while it waited for a slow response (HdrHistogram's
     * correction for coordinated omission).
     */
    double correctedP99(double cycleSeconds) {
        long micros = Math.max(1, Math.round(cycleSeconds * 1e6));
        return all.copyCorrectedForCoordinatedOmission(micros).getValueAtPercentile(99) / 1e3;
    }

    /**
     * Requests that weren't sent in seconds in which the service was slow: those with less than half of the usual
     * starts and with more than twice the usual response time.
     */
    long missing() {
        // The first and the last second are cut.
        List<RequestSecond> whole = seconds.values().stream()
                .skip(1)
                .limit(Math.max(0, seconds.size() - 2))
                .toList();
        double starts = median(whole.stream().mapToDouble(of -> of.starts).toArray());
        double mean = median(whole.stream().mapToDouble(RequestSecond::mean).toArray());
        return Math.round(whole.stream()
                .filter(of -> of.starts < starts / 2 && of.mean() > 2 * mean)
                .mapToDouble(of -> starts - of.starts)
                .sum());
    }

    private static double median(double... values) {
        Arrays.sort(values);
        return values.length == 0 ? Double.NaN : values[values.length / 2];
    }
}
