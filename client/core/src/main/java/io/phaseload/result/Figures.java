package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.phaseload.measure.Counters;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Tally;
import io.phaseload.measure.Values;
import io.phaseload.plan.check.Metric;
import io.phaseload.stats.ClientShare;
import io.phaseload.timing.Section;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The figures of an operation, of a phase, or of a whole run.
 *
 * @param wall the duration; for a whole run, including the time between phases
 * @param inPhases the part of it in which a phase was running, over which rates are computed
 * @param succeeded complete responses with a status of 200 to 399 that passed all checks
 * @param failed all other requests
 * @param counters the counts that no histogram holds
 * @param times the times that were measured, of requests and of protocols: see {@link #time(Timing)}
 * @param responseOfSuccesses end − intended, of those that succeeded
 * @param failures failures by cause
 * @param failureDetails the message of the first failure of each cause, if it says more than the cause
 * @param metrics numbers from the bodies of successes; empty without metrics
 * @param clientShare the part of the response times that the client itself may have caused; empty with too few samples,
 *     and if it wasn't measured
 * @param warnings the soft checks that didn't hold, by cause; empty if all held
 */
@JsonAutoDetect(
        fieldVisibility = Visibility.NONE,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
public record Figures(
        Duration wall,
        Duration inPhases,
        long succeeded,
        long failed,
        Counters counters,
        Map<Timing, Latency> times,
        Latency responseOfSuccesses,
        Map<String, Long> failures,
        Map<String, String> failureDetails,
        List<Metered> metrics,
        Optional<ClientShare> clientShare,
        List<Warning> warnings) {

    /**
     * A number from bodies.
     *
     * @param name the metric's
     * @param unit of the numbers; may be empty
     * @param count the number of bodies that had it
     * @param mean the arithmetic mean
     * @param min the least
     * @param max the greatest
     */
    public record Metered(String name, String unit, long count, double mean, double min, double max) {

        private static Metered of(Metric metric, Values values) {
            return new Metered(metric.name(), metric.unit(), values.count(), values.mean(), values.min(), values.max());
        }
    }

    /**
     * A soft check that didn't hold.
     *
     * @param cause the check, or its name
     * @param count successful requests for which it didn't hold, at least 1
     * @param detail the value that the first of them had; may be empty
     */
    public record Warning(String cause, long count, String detail) {}

    /**
     * Computes the figures of a tally.
     *
     * @param tally the measurement
     * @param wall the time that it took, all of it in phases
     * @return its figures
     */
    public static Figures of(Tally tally, Duration wall) {
        return of(tally, wall, wall);
    }

    /**
     * Makes the figures of a tally over several phases.
     *
     * @param tally the measurement
     * @param wall from the first phase's start to the last one's end
     * @param inPhases the part of it in which a phase was running
     * @return its figures
     */
    public static Figures of(Tally tally, Duration wall, Duration inPhases) {
        Map<String, Long> failures = new TreeMap<>();
        Map<String, String> details = new TreeMap<>();
        tally.causes().forEach((cause, failure) -> {
            failures.put(cause, failure.count());
            if (!failure.detail().isEmpty()) {
                details.put(cause, failure.detail());
            }
        });
        Map<Timing, Latency> times = new LinkedHashMap<>();
        tally.histograms().forEach((timing, nanos) -> {
            if (!timing.json().isEmpty()) {
                times.put(timing, Latency.of(nanos));
            }
        });
        Latency successes = tally.failed() == 0
                ? times.getOrDefault(Timing.RESPONSE, Latency.NONE)
                : Latency.of(tally.responseOfSuccesses());
        for (KeptRequest slowest : tally.slowest().stream().limit(1).toList()) {
            times.computeIfPresent(
                    Timing.RESPONSE, (timing, of) -> of.with(slowest.times().responseMs()));
            successes = successes.with(slowest.times().responseMs());
        }
        return new Figures(
                wall,
                inPhases,
                tally.succeeded(),
                tally.failed(),
                tally.counters(),
                Collections.unmodifiableMap(times),
                successes,
                Collections.unmodifiableMap(failures),
                Collections.unmodifiableMap(details),
                tally.metrics().entrySet().stream()
                        .map(metric -> Metered.of(metric.getKey(), metric.getValue()))
                        .toList(),
                ClientShare.of(tally.histogram(Timing.WATCHED), tally.histogram(Timing.CLEARED)),
                tally.warnings().entrySet().stream()
                        .map(of -> new Warning(
                                of.getKey(),
                                of.getValue().count(),
                                of.getValue().detail()))
                        .toList());
    }

    /**
     * A time.
     *
     * @param timing the timing, such as {@code StreamTimings.FIRST_EVENT}
     * @return its distribution, without samples if it wasn't measured
     */
    public Latency time(Timing timing) {
        return times.getOrDefault(timing, Latency.NONE);
    }

    /**
     * Whether a protocol was used.
     *
     * @param section of its timings
     * @return {@code true} if at least one of them was measured
     */
    public boolean has(Section section) {
        return times.keySet().stream().anyMatch(timing -> timing.section().equals(section));
    }

    /**
     * The total of a section, such as the events of streams.
     *
     * @param section of timings that make a total
     * @return their samples
     */
    public long total(Section section) {
        return times.entrySet().stream()
                .filter(time ->
                        time.getKey().section().equals(section) && time.getKey().is(Timing.Use.TOTAL))
                .mapToLong(time -> time.getValue().samples())
                .sum();
    }

    /** {@return requests sent: succeeded + failed} */
    public long requests() {
        return succeeded + failed;
    }

    /** {@return complete responses, of any status} */
    public long responses() {
        return counters.responses();
    }

    /** {@return failed requests as a percentage, 0 to 100} */
    public double failedPercent() {
        return requests() == 0 ? 0 : 100.0 * failed / requests();
    }

    /** {@return requests by the time in phases, including failed ones} */
    public double requestsPerSecond() {
        return perSecond(requests());
    }

    /** {@return successful requests by the time in phases} */
    public double succeededPerSecond() {
        return perSecond(succeeded);
    }

    /** {@return failed requests by the time in phases} */
    public double failedPerSecond() {
        return perSecond(failed);
    }

    /** {@return bytes of responses, header and body, without TLS} */
    public long bytesReceived() {
        return counters.bytesReceived();
    }

    /** {@return bytes by the time in phases} */
    public double bytesReceivedPerSecond() {
        return perSecond(counters.bytesReceived());
    }

    /** {@return end − intended, of all requests} */
    public Latency response() {
        return time(Timing.RESPONSE);
    }

    /** {@return end − sent, of all requests} */
    public Latency service() {
        return time(Timing.SERVICE);
    }

    /** {@return sent − intended, of all requests, without a wait for a connection; zero in a closed model} */
    public Latency slip() {
        return time(Timing.SLIP);
    }

    /**
     * Making connections.
     *
     * @return DNS, TCP and TLS together, of successful connects; not part of response times in a closed model
     */
    public Latency connectionSetUp() {
        return time(Timing.SET_UP);
    }

    /** {@return requests that went over a new connection because the server had closed the old one before} */
    public long reconnects() {
        return counters.reconnects();
    }

    /**
     * Requests that were sent again.
     *
     * @return the number of times that requests were sent again, so that the server counts at most that many more: it
     *     had closed the connection while it was idle, and may have read the first one; or the client retried, followed
     *     a redirect or answered a challenge
     */
    public long resent() {
        return counters.resent();
    }

    /** {@return complete responses by status; empty in results of earlier versions} */
    public Map<Integer, Long> statuses() {
        return counters.statuses();
    }

    /**
     * Requests that ran into a timeout.
     *
     * @return the number; they are in the histograms with the timeout, which is a lower bound
     */
    public long censored() {
        return counters.censored();
    }

    /**
     * The number of redirects, which aren't followed.
     *
     * @return responses with a status of 300 to 399, except for 304
     */
    public Map<Integer, Long> redirects() {
        Map<Integer, Long> redirects = new TreeMap<>(statuses());
        redirects.keySet().removeIf(status -> status < 300 || status > 399 || status == 304);
        return redirects;
    }

    /**
     * Whether requests were sent, but none succeeded.
     *
     * @return {@code false} if nothing was sent
     */
    public boolean allFailed() {
        return requests() > 0 && succeeded == 0;
    }

    /**
     * A rate.
     *
     * @param count of anything
     * @return the count by the time in phases
     */
    public double perSecond(long count) {
        return inPhases.isZero() ? 0 : count / (inPhases.toNanos() / 1e9);
    }

    @JsonAnyGetter
    Map<String, Object> json() {
        return FiguresJson.of(this);
    }
}
