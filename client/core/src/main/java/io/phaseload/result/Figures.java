package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.phaseload.measure.Counters;
import io.phaseload.measure.InstanceState;
import io.phaseload.measure.Tally;
import io.phaseload.measure.Values;
import io.phaseload.plan.check.Metric;
import io.phaseload.stats.ClientShare;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The figures of an operation, of a phase, or of a whole run.
 *
 * @param wall how long it took; for a whole run, including the time between phases
 * @param inPhases the part of it in which a phase was running, over which rates are computed
 * @param requests requests sent: succeeded + failed
 * @param responses complete responses, of any status
 * @param succeeded complete responses with a status of 200 to 399 that passed all checks
 * @param failed all others
 * @param failedPercent failed requests as a percentage, 0 to 100
 * @param requestsPerSecond requests by the time in phases, including failed ones
 * @param succeededPerSecond successful requests by the time in phases
 * @param failedPerSecond failed requests by the time in phases
 * @param bytesReceived bytes of responses, header and body, without TLS
 * @param bytesReceivedPerSecond bytes by the time in phases
 * @param response end − intended, of all requests
 * @param responseOfSuccesses end − intended, of those that succeeded
 * @param service end − sent, of all requests
 * @param slip sent − intended, of all requests, without a wait for a connection; zero in a closed model
 * @param lease the wait for a connection of a pool, a part of each response time; empty if the client had no pool
 * @param timeToFirstByte first byte of the response − sent, of requests that got one
 * @param transfer end − first byte, of complete responses
 * @param connectionSetUp DNS, TCP and TLS together, of successful connects; not part of response times in a closed
 *     model
 * @param dnsLookup the part of it for resolving the host
 * @param tcpConnect the part of it for the TCP handshake
 * @param tlsHandshake the part of it for the TLS handshake
 * @param reconnects requests that went over a new connection because the server had closed the old one before
 * @param resent how often requests were sent beyond the first time, so that the server counts at most so many more: it
 *     had closed the connection while it was idle, and may have read the first one; or the client retried, followed a
 *     redirect or answered a challenge
 * @param statuses complete responses by status; empty in results of earlier versions
 * @param censored requests that ran into a timeout: they are in the histograms with the timeout, which is a lower bound
 * @param failures failures by cause
 * @param failureDetails the message of the first failure of each cause, if it says more than the cause
 * @param instances what the target said about its instances; empty if it said nothing
 * @param messages what became of messages over WebSocket; empty for requests
 * @param roundTrip of journeys over WebSocket, from a message that was sent to the receipt of the next one that was
 *     expected; empty without any
 * @param streams the events of responses that are streams; empty without them
 * @param metrics numbers from the bodies of successes; empty without metrics
 * @param clientShare the part of the response times that the client itself may have caused; empty with too few samples,
 *     and if it wasn't measured
 * @param warnings the soft checks that didn't hold, by cause; empty if all held
 */
public record Figures(
        @JsonProperty("wallSeconds") @Seconds Duration wall,
        @JsonProperty("phaseSeconds") @Seconds Duration inPhases,
        long requests,
        long responses,
        long succeeded,
        long failed,
        double failedPercent,
        double requestsPerSecond,
        double succeededPerSecond,
        double failedPerSecond,
        long bytesReceived,
        double bytesReceivedPerSecond,
        Latency response,
        Latency responseOfSuccesses,
        Latency service,
        Latency slip,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Latency> lease,
        Latency timeToFirstByte,
        Latency transfer,
        Latency connectionSetUp,
        Latency dnsLookup,
        Latency tcpConnect,
        Latency tlsHandshake,
        long reconnects,
        long resent,
        Map<Integer, Long> statuses,
        long censored,
        Map<String, Long> failures,
        Map<String, String> failureDetails,
        Optional<Instances> instances,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Messages> messages,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Latency> roundTrip,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Streams> streams,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Metered> metrics,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ClientShare> clientShare,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {

    /**
     * Responses by the state of the instance that answered, for targets that send it in the header
     * {@value InstanceState#HEADER}.
     *
     * @param cold responses for which an instance was started
     * @param restored responses for which an instance was restored from a snapshot
     * @param warm responses of instances that had answered before
     * @param coldStart response times of those that were cold or restored
     */
    public record Instances(long cold, long restored, long warm, Latency coldStart) {

        private static Optional<Instances> of(Tally tally) {
            Map<InstanceState, Long> states = tally.counters().instances();
            return states.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Instances(
                            states.getOrDefault(InstanceState.COLD, 0L),
                            states.getOrDefault(InstanceState.RESTORED, 0L),
                            states.getOrDefault(InstanceState.WARM, 0L),
                            Latency.of(tally.histogram(InstanceTimings.COLD_START))));
        }
    }

    /**
     * Messages over WebSocket, which are counted as requests: one succeeded when all its receivers had it.
     *
     * @param handshake asking a connection to become a WebSocket, until the server had agreed
     * @param delivery receipt − intended, one for each receiver
     * @param duplicated the same, of those that the receiver had already
     * @param reordered the same, of those behind a message that was sent later; a part of {@code delivery}
     * @param late the same, of those that had been given up and count as lost
     * @param clocks how exact deliveries are, if they are from agent to agent
     */
    public record Messages(
            Latency handshake,
            Latency delivery,
            Latency duplicated,
            Latency reordered,
            Latency late,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Clocks> clocks) {

        private static Optional<Messages> of(Tally tally) {
            return tally.count(MessageTimings.HANDSHAKE) + tally.count(MessageTimings.DELIVERY) == 0
                    ? Optional.empty()
                    : Optional.of(new Messages(
                            latency(tally, MessageTimings.HANDSHAKE),
                            latency(tally, MessageTimings.DELIVERY),
                            latency(tally, MessageTimings.DUPLICATED),
                            latency(tally, MessageTimings.REORDERED),
                            latency(tally, MessageTimings.LATE),
                            Clocks.of(tally)));
        }
    }

    /**
     * How exact deliveries are that two agents' clocks measured.
     *
     * @param bound how far each delivery may be from the truth, whatever the routes are like
     * @param belowBound deliveries that took less than their bound, which could as well have taken nothing
     */
    public record Clocks(Latency bound, long belowBound) {

        private static Optional<Clocks> of(Tally tally) {
            return tally.count(MessageTimings.CLOCK_BOUND) == 0
                    ? Optional.empty()
                    : Optional.of(new Clocks(
                            latency(tally, MessageTimings.CLOCK_BOUND), tally.count(MessageTimings.BELOW_BOUND)));
        }
    }

    /**
     * Server-sent events of responses that are streams; of a model's, those with a text are tokens, also of its
     * reasoning and its tool calls.
     *
     * @param events those that count, of all streams, also of those that failed
     * @param eventsPerSecond events by the time in phases
     * @param firstEvent a stream's first event − intended
     * @param firstOutput a model's first token of output − intended; empty without other tokens
     * @param eventGap from an event of a stream to the next one
     * @param eventDelivery receipt − sent by the server, of events that say it
     * @param reconnect from a stream's early end to its next new event
     * @param repeated events after a reconnect that had been received before
     */
    public record Streams(
            long events,
            double eventsPerSecond,
            Latency firstEvent,
            Latency firstOutput,
            Latency eventGap,
            Latency eventDelivery,
            Latency reconnect,
            long repeated) {

        private static Optional<Streams> of(Tally tally, Duration inPhases) {
            long events = tally.count(StreamTimings.FIRST_EVENT) + tally.count(StreamTimings.EVENT_GAP);
            return events == 0
                    ? Optional.empty()
                    : Optional.of(new Streams(
                            events,
                            rate(events, inPhases),
                            latency(tally, StreamTimings.FIRST_EVENT),
                            latency(tally, StreamTimings.FIRST_OUTPUT),
                            latency(tally, StreamTimings.EVENT_GAP),
                            latency(tally, StreamTimings.EVENT_DELIVERY),
                            latency(tally, StreamTimings.EVENT_RECONNECT),
                            tally.count(StreamTimings.EVENT_REPEATED)));
        }
    }

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
     * The number of redirects, which aren't followed.
     *
     * @return responses with a status of 300 to 399, except for 304
     */
    public Map<Integer, Long> redirects() {
        Map<Integer, Long> redirects = new TreeMap<>(statuses);
        redirects.keySet().removeIf(status -> status < 300 || status > 399 || status == 304);
        return redirects;
    }

    /**
     * Whether requests were sent, but none succeeded.
     *
     * @return {@code false} if nothing was sent
     */
    public boolean allFailed() {
        return requests > 0 && succeeded == 0;
    }

    /**
     * Computes the figures of a tally.
     *
     * @param tally what was measured
     * @param wall how long it took, all of it in phases
     * @return its figures
     */
    public static Figures of(Tally tally, Duration wall) {
        return of(tally, wall, wall);
    }

    /**
     * Makes the figures of a tally over several phases.
     *
     * @param tally what was measured
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
        long requests = tally.requests();
        Counters counters = tally.counters();
        return new Figures(
                wall,
                inPhases,
                requests,
                counters.responses(),
                tally.succeeded(),
                tally.failed(),
                requests == 0 ? 0 : 100.0 * tally.failed() / requests,
                rate(requests, inPhases),
                rate(tally.succeeded(), inPhases),
                rate(tally.failed(), inPhases),
                counters.bytesReceived(),
                rate(counters.bytesReceived(), inPhases),
                latency(tally, Timing.RESPONSE),
                Latency.of(tally.responseOfSuccesses()),
                latency(tally, Timing.SERVICE),
                latency(tally, Timing.SLIP),
                Optional.of(latency(tally, Timing.LEASE)).filter(lease -> lease.samples() > 0),
                latency(tally, Timing.FIRST_BYTE),
                latency(tally, Timing.TRANSFER),
                latency(tally, Timing.SET_UP),
                latency(tally, Timing.DNS),
                latency(tally, Timing.TCP),
                latency(tally, Timing.TLS),
                counters.reconnects(),
                counters.resent(),
                counters.statuses(),
                counters.censored(),
                Collections.unmodifiableMap(failures),
                Collections.unmodifiableMap(details),
                Instances.of(tally),
                Messages.of(tally),
                Optional.of(latency(tally, MessageTimings.ROUND_TRIP)).filter(trip -> trip.samples() > 0),
                Streams.of(tally, inPhases),
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

    private static double rate(long count, Duration time) {
        return time.isZero() ? 0 : count / (time.toNanos() / 1e9);
    }

    private static Latency latency(Tally tally, Timing timing) {
        return Latency.of(tally.histogram(timing));
    }
}
