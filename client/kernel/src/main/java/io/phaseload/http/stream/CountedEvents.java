package io.phaseload.http.stream;

import io.phaseload.plan.stream.EventStream;
import io.phaseload.plan.stream.SentAt;
import io.phaseload.plan.stream.TokenSource;
import io.phaseload.timing.StreamTimings;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The events of a stream that count, which are those of a type or those with a token. Their times go to a listener.
 *
 * <p>Owned by one thread at a time.
 */
final class CountedEvents {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final EventStream stream;
    private final EventListener listener;
    private boolean fresh;
    private long startNanos;
    private boolean answered;
    private long number;
    private long latestNanos;

    CountedEvents(EventStream stream, EventListener listener) {
        this.stream = stream;
        this.listener = listener;
    }

    /** The request is sent over a connection, which was made for it if it is fresh. */
    void begin(long now, boolean made) {
        startNanos = now;
        fresh = made;
    }

    /** When the request was sent, as {@link System#nanoTime()}. */
    long startNanos() {
        return startNanos;
    }

    long number() {
        return number;
    }

    /** Whether no more are asked for. */
    boolean areEnough() {
        return stream.count().isPresent() && number >= stream.count().get();
    }

    /**
     * Counts an event if it is to be counted.
     *
     * @return the failure if its time of sending can't be; otherwise {@code null}
     */
    @Nullable StreamFailure add(EventParser event, long now) {
        if (stream.event().isPresent() && !stream.event().get().equals(event.type())) {
            return null;
        }
        return stream.ofTokens() ? countToken(event, now) : count(event, now);
    }

    /** An event with texts in several places is one token. */
    private @Nullable StreamFailure countToken(EventParser event, long now) {
        JsonNode data = json(event);
        for (int i = 0; i < stream.content().size(); i++) {
            if (isIn(event.type(), data, stream.content().get(i))) {
                StreamFailure failure = count(event, now);
                if (i == 0 && !answered && stream.content().size() > 1) {
                    listener.first(StreamTimings.FIRST_OUTPUT, startNanos, fresh, now);
                    answered = true;
                }
                return failure;
            }
        }
        return null;
    }

    private static boolean isIn(String type, JsonNode data, TokenSource source) {
        if (source.type().isPresent() && !source.type().get().equals(type)) {
            return false;
        }
        JsonNode text = data.at(source.pointer());
        return text.isString() && !text.asString().isEmpty();
    }

    private static JsonNode json(EventParser event) {
        try {
            return JSON.readTree(event.data());
        } catch (JacksonException notJson) {
            return JSON.missingNode();
        }
    }

    private @Nullable StreamFailure count(EventParser event, long now) {
        if (number++ == 0) {
            listener.first(StreamTimings.FIRST_EVENT, startNanos, fresh, now);
        } else {
            listener.timed(StreamTimings.EVENT_GAP, now - latestNanos);
        }
        latestNanos = now;
        return stream.sentAt().map(where -> deliver(event, where)).orElse(null);
    }

    /** By the clock of both, which {@code System.nanoTime()} isn't. */
    private @Nullable StreamFailure deliver(EventParser event, SentAt where) {
        Instant received = Instant.now();
        JsonNode value = json(event).at(where.pointer());
        try {
            long nanos = where.unit().isPresent()
                    ? since(received, value, where.unit().get())
                    : since(received, Instant.parse(value.asString("")));
            if (nanos < 0) {
                return new StreamFailure("event from the future", "%.3f ms ahead".formatted(-nanos / 1e6));
            }
            listener.timed(StreamTimings.EVENT_DELIVERY, nanos);
            return null;
        } catch (DateTimeException | ArithmeticException noTime) {
            return new StreamFailure("event without its time", "none at " + where);
        }
    }

    private static long since(Instant received, JsonNode value, SentAt.EpochUnit unit) {
        if (!value.isNumber()) {
            throw new DateTimeException("no number");
        }
        BigDecimal nanos = value.decimalValue().multiply(BigDecimal.valueOf(unit.nanos()));
        return Math.subtractExact(nanos(received), nanos.longValue());
    }

    private static long since(Instant received, Instant sent) {
        return Math.subtractExact(nanos(received), nanos(sent));
    }

    private static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }
}
