package io.phaseload.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request of which all is kept that is known, since it was among the slowest or the first to fail. It has no
 * headers of its own and no body, and no secrets.
 *
 * @param at the time when it was due, by the client's clock
 * @param request method and path as sent
 * @param user the number of the user that sent it, among all of its phase, from 0
 * @param iteration the iteration of that user in the run, from 0; empty without journeys
 * @param cause why it failed; empty for a success
 * @param message the message of the failure; empty if the cause is enough
 * @param status of its complete response; 0 without one
 * @param times its response time and the parts of it
 * @param stalled true if the client was stalled for a significant part of the response time
 * @param client the client that sent it, of several; empty for a client on its own
 * @param trace its place in a trace; empty without one
 * @param headers those of its response that were asked for, by name
 */
public record KeptRequest(
        Instant at,
        String request,
        long user,
        Optional<Long> iteration,
        Optional<String> cause,
        Optional<String> message,
        int status,
        @JsonUnwrapped RequestTimes times,
        boolean stalled,
        Optional<String> client,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<TraceContext> trace,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> headers) {

    /**
     * Checks what may have been read from a damaged file.
     *
     * @throws NullPointerException if something is {@code null}
     */
    public KeptRequest {
        Objects.requireNonNull(at);
        Objects.requireNonNull(request);
        Objects.requireNonNull(iteration);
        Objects.requireNonNull(cause);
        Objects.requireNonNull(message);
        Objects.requireNonNull(times);
        Objects.requireNonNull(client);
        Objects.requireNonNull(trace);
        headers = headers == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /**
     * The times of a request, in milliseconds.
     *
     * @param responseMs end − due
     * @param slipMs the part of it by which the client was late
     * @param leaseMs the part of it in which it waited for a shared connection; empty without one
     * @param timeToFirstByteMs the part of it from sending to the first byte; empty if none came
     * @param transferMs the part of it from there to the last byte; empty without a complete response
     * @param connectionSetUpMs the time that it took to make its connection, which in an open model is a part of the
     *     slip and in a closed one none of the response time; empty if it was open
     */
    public record RequestTimes(
            double responseMs,
            double slipMs,
            Optional<Double> leaseMs,
            Optional<Double> timeToFirstByteMs,
            Optional<Double> transferMs,
            Optional<Double> connectionSetUpMs) {

        /**
         * Checks what may have been read from a damaged file.
         *
         * @throws NullPointerException if something is {@code null}
         */
        public RequestTimes {
            Objects.requireNonNull(leaseMs);
            Objects.requireNonNull(timeToFirstByteMs);
            Objects.requireNonNull(transferMs);
            Objects.requireNonNull(connectionSetUpMs);
        }

        private static RequestTimes of(Sample sample) {
            Exchange exchange = sample.exchange();
            long firstByte = exchange.timeToFirstByteNanos();
            boolean whole = firstByte >= 0 && exchange.outcome().responded();
            return new RequestTimes(
                    sample.responseNanos() / NANOS,
                    sample.slipNanos() / NANOS,
                    millis(exchange.leaseNanos()),
                    millis(firstByte),
                    millis(whole ? sample.serviceNanos() - firstByte : -1),
                    exchange.setUp() == null ? Optional.empty() : millis(exchange.setUpNanos()));
        }

        private static Optional<Double> millis(long nanos) {
            return nanos < 0 ? Optional.empty() : Optional.of(nanos / NANOS);
        }
    }

    /** The slowest first, and of those the earliest. */
    static final Comparator<KeptRequest> SLOWEST =
            Comparator.comparingLong(KeptRequest::responseNanos).reversed().thenComparing(KeptRequest::at);

    /** By cause, and of each cause the earliest first. */
    static final Comparator<KeptRequest> BY_CAUSE =
            Comparator.comparing((KeptRequest of) -> of.cause().orElse("")).thenComparing(KeptRequest::at);

    private static final double NANOS = 1e6;

    /** The sender of a request, with details that no sample has. */
    @FunctionalInterface
    public interface Sender {

        /**
         * Describes the request that it sent last.
         *
         * @param sample its measurements
         * @return the kept request
         */
        KeptRequest kept(Sample sample);

        /**
         * {@return the path and query of that request, without secrets; empty if they are the same each time, or not to
         * be written}
         */
        default String path() {
            return "";
        }

        /** {@return the place of that request in a trace; {@code null} without one} */
        default @Nullable TraceContext trace() {
            return null;
        }
    }

    /**
     * The data of a sample and its sender.
     *
     * @param sample the measurement
     * @param at the time when it was due
     * @param request method and path, without secrets
     * @param message the message of its failure, without secrets; may be empty
     * @param user see {@link #user()}
     * @param iteration see {@link #iteration()}
     * @return it, of a client on its own
     */
    public static KeptRequest of(
            Sample sample, Instant at, String request, String message, long user, Optional<Long> iteration) {
        Outcome outcome = sample.exchange().outcome();
        return new KeptRequest(
                at,
                request,
                user,
                iteration,
                outcome instanceof Outcome.Success
                        ? Optional.empty()
                        : Optional.of(outcome.cause().key()),
                Optional.of(message).filter(text -> !text.isEmpty()),
                sample.exchange().status(),
                RequestTimes.of(sample),
                sample.stalled(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }

    /**
     * This request with details that only some have.
     *
     * @param place see {@link #trace()}
     * @param received see {@link #headers()}
     * @return a copy
     */
    public KeptRequest with(@Nullable TraceContext place, Map<String, String> received) {
        return copy(at, client, Optional.ofNullable(place), received);
    }

    long responseNanos() {
        return Math.round(times.responseMs() * NANOS);
    }

    /**
     * This request as one of several clients.
     *
     * @param name the client's; of one that was one of several before, that name stays
     * @param ahead by how much its clock was ahead of the one that counts
     * @return a copy
     */
    KeptRequest from(String name, Duration ahead) {
        return copy(at.minus(ahead), client.or(() -> Optional.of(name)), trace, headers);
    }

    private KeptRequest copy(
            Instant due, Optional<String> by, Optional<TraceContext> place, Map<String, String> received) {
        return new KeptRequest(
                due, request, user, iteration, cause, message, status, times, stalled, by, place, received);
    }
}
