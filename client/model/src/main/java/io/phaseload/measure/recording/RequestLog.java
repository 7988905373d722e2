package io.phaseload.measure.recording;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Sample;
import io.phaseload.measure.TraceContext;
import java.time.Instant;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The way of a phase's requests to a {@link RequestSink}. Thread-safe. */
public final class RequestLog {

    private final RequestSink sink;
    private final LongSupplier startNanos;
    private final LongFunction<Instant> timeOf;
    // The same for all threads that set it.
    private volatile @Nullable Instant started;

    /**
     * A log of a phase that may begin later.
     *
     * @param startNanos the phase's start, asked for when it has begun
     * @param timeOf the time of day of a {@link System#nanoTime()}
     */
    public RequestLog(RequestSink sink, LongSupplier startNanos, LongFunction<Instant> timeOf) {
        this.sink = sink;
        this.startNanos = startNanos;
        this.timeOf = timeOf;
    }

    void add(
            int user,
            int connection,
            int place,
            long madeNanos,
            long idleNanos,
            Sample sample,
            @Nullable TraceContext trace) {
        long start = startNanos.getAsLong();
        Instant at = started;
        if (at == null) {
            at = timeOf.apply(start);
            started = at;
        }
        Exchange exchange = sample.exchange();
        long age = exchange.sentNanos() - madeNanos;
        SampledConnection over =
                SampledConnection.of(exchange.outcome(), connection, place, age, idleNanos, exchange.setUp());
        sink.take(at, SampledRequest.of(start, user, over, "", sample), trace);
    }
}
