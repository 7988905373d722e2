package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phaseload.measure.Tally;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of an operation, of a phase, or of a whole run.
 *
 * @param wall how long it took
 * @param requests requests sent: succeeded + failed
 * @param responses whole responses, whatever they said
 * @param succeeded whole responses with a status of 200 to 399, whose checks all held
 * @param failed all others
 * @param failedPercent failed of requests, 0 to 100
 * @param requestsPerSecond requests by wall time, failed ones among them
 * @param bytesReceived bytes of responses, header and body, with TLS taken off
 * @param response end − intended, of all requests
 * @param responseOfSuccesses end − intended, of those that succeeded
 * @param service end − sent, of all requests
 * @param slip sent − intended, of all requests; zero in a closed model
 * @param connectionSetUp name, connect and TLS together, of connections that could be made; not
 *     part of a closed model's response times
 * @param reconnects requests that went over a fresh connection because the server had closed the
 *     kept one before they were sent
 * @param censored requests that ran into a timeout: they are in the histograms with the timeout,
 *     which is a lower bound
 * @param failures failures by cause
 * @param failureDetails what the first failure of a cause said, where that is more than the cause
 */
public record Figures(
        @JsonProperty("wallSeconds") @Seconds Duration wall,
        long requests,
        long responses,
        long succeeded,
        long failed,
        double failedPercent,
        double requestsPerSecond,
        long bytesReceived,
        Latency response,
        Latency responseOfSuccesses,
        Latency service,
        Latency slip,
        Latency connectionSetUp,
        long reconnects,
        long censored,
        Map<String, Long> failures,
        Map<String, String> failureDetails) {

    static Figures of(Tally tally, Duration wall) {
        Map<String, Long> failures = new TreeMap<>();
        Map<String, String> details = new TreeMap<>();
        tally.causes()
                .forEach(
                        (cause, failure) -> {
                            failures.put(cause, failure.count());
                            if (!failure.detail().isEmpty()) {
                                details.put(cause, failure.detail());
                            }
                        });
        long requests = tally.requests();
        return new Figures(
                wall,
                requests,
                tally.responses(),
                tally.succeeded(),
                tally.failed(),
                requests == 0 ? 0 : 100.0 * tally.failed() / requests,
                wall.isZero() ? 0 : requests / (wall.toNanos() / 1e9),
                tally.bytesReceived(),
                Latency.of(tally.response()),
                Latency.of(tally.responseOfSuccesses()),
                Latency.of(tally.service()),
                Latency.of(tally.slip()),
                Latency.of(tally.connectionSetUp()),
                tally.reconnects(),
                tally.censored(),
                Collections.unmodifiableMap(failures),
                Collections.unmodifiableMap(details));
    }
}
