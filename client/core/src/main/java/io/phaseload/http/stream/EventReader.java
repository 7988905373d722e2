package io.phaseload.http.stream;

import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.plan.stream.SentAt;
import io.phaseload.plan.stream.TokenSource;
import io.phaseload.timing.StreamTimings;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One request's stream of events, over all its connections: which events count, when it is over, and what became of it.
 * Times go to a listener as events come. All points in time are those of {@link System#nanoTime()}.
 *
 * <p>Owned by one thread at a time.
 */
public final class EventReader {

    /** The time for a server to end the response by itself after the last event. */
    private static final long GRACE_NANOS = 100_000_000;

    /** The wait before a reconnect unless the server sends another time; as Chromium does. */
    private static final long RETRY_MILLIS = 3_000;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final EventStream stream;
    private final EventListener listener;
    private final long silenceNanos;
    private final EventParser parser = new EventParser();
    private final EventIds ids = new EventIds();

    private boolean fresh;
    private long startNanos;
    private LongConsumer limit = nanos -> {};
    // Of this connection: whether its response is a stream of events, or what it is instead.
    private boolean accepted;
    private String instead = "";
    // Of all connections.
    private boolean everAccepted;
    private boolean answered;
    private long counted;
    private long countedNanos;
    private long eventNanos;
    private boolean broken;
    private long brokenNanos;
    private boolean over;
    private long overNanos;
    private StreamFailure problem;

    /**
     * Makes one for a request that is about to be sent.
     *
     * @param listener gets its times
     * @param silenceNanos the time that no event may come
     */
    public EventReader(EventStream stream, EventListener listener, long silenceNanos) {
        this.stream = stream;
        this.listener = listener;
        this.silenceNanos = silenceNanos;
    }

    /**
     * The shortest time after which a stream may have to be ended, beside that without events.
     *
     * @return in nanoseconds
     */
    public static long shortestNanos(EventStream stream) {
        long length = stream.length().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        return Math.min(length, stream.until().isPresent() ? GRACE_NANOS : Long.MAX_VALUE);
    }

    /**
     * The request is sent, for the first time or again.
     *
     * @param made true if its connection was made for it
     * @param changed told whenever {@link #limitNanos()} changes
     */
    public void begin(long now, boolean made, LongConsumer changed) {
        limit = changed;
        accepted = false;
        instead = "";
        parser.begin();
        if (everAccepted) {
            ids.resume();
        } else {
            startNanos = now;
            eventNanos = now;
            fresh = made;
        }
    }

    /**
     * The header of a response has come.
     *
     * @param status of the response
     * @param head its lines, each with a line feed
     * @return true if its body is a stream of events, so that {@link #read} wants it
     */
    public boolean accepts(int status, byte[] head) {
        String type = "";
        String coding = "";
        for (String line : new String(head, StandardCharsets.ISO_8859_1).split("\n")) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            if (name.equals("content-type")) {
                type = line.substring(colon + 1).strip();
            } else if (name.equals("content-encoding")) {
                coding = line.substring(colon + 1).strip();
            }
        }
        String essence = type.split(";", 2)[0].strip();
        if (!essence.equalsIgnoreCase("text/event-stream")) {
            instead = type.isEmpty() ? "no Content-Type" : "Content-Type: " + type;
        } else if (!coding.isEmpty() && !coding.equalsIgnoreCase("identity")) {
            instead = "Content-Encoding: " + coding;
        }
        accepted = status >= 200 && status <= 299 && instead.isEmpty();
        everAccepted |= accepted;
        return accepted;
    }

    /**
     * A part of the body has come.
     *
     * @param bytes a buffer with it
     * @param from the position of its first byte
     * @param to the position after its last one
     * @return true if the rest of the response isn't wanted
     */
    public boolean read(byte[] bytes, int from, int to) {
        return read(bytes, from, to, System.nanoTime());
    }

    /** The same, at a time. */
    boolean read(byte[] bytes, int from, int to, long now) {
        int at = from;
        while (at < to && !over) {
            switch (parser.read(bytes, at, to)) {
                case EVENT -> event(now);
                case TOO_LONG -> fail(now, "event too long", "more than 1 MiB");
                case TOO_MANY -> fail(now, "endless comments", ProgressBudget.reason("lines"));
                case NOTHING -> {
                    // More will come.
                }
            }
            at = parser.position();
        }
        limit.accept(limitNanos());
        return over && !isEnding();
    }

    private void event(long now) {
        if (parser.hasId() && ids.isRepeated(parser.lastId())) {
            listener.timed(StreamTimings.EVENT_REPEATED, now - eventNanos);
            eventNanos = now;
            return;
        }
        if (broken) {
            listener.timed(StreamTimings.EVENT_RECONNECT, now - brokenNanos);
            broken = false;
        }
        eventNanos = now;
        boolean last = stream.until().isPresent() && isLast(stream.until().get());
        if (stream.event().isEmpty() || stream.event().get().equals(parser.type())) {
            if (!stream.ofTokens()) {
                count(now);
            } else {
                countToken(now);
            }
        }
        if (problem == null && (last || isEnough())) {
            over = true;
            overNanos = now;
        }
    }

    private boolean isLast(String texts) {
        String data = new String(parser.data(), StandardCharsets.UTF_8);
        if (data.equals(texts) || parser.type().equals(texts)) {
            return true;
        }
        return texts.contains(",")
                && Stream.of(texts.split(",")).anyMatch(text -> text.equals(data) || text.equals(parser.type()));
    }

    private boolean isEnough() {
        return stream.count().isPresent() && counted >= stream.count().get();
    }

    /** An event with texts in several places is one token. */
    private void countToken(long now) {
        JsonNode data = json();
        for (int i = 0; i < stream.content().size(); i++) {
            if (isIn(data, stream.content().get(i))) {
                count(now);
                if (i == 0 && !answered && stream.content().size() > 1) {
                    listener.first(StreamTimings.FIRST_OUTPUT, startNanos, fresh, now);
                    answered = true;
                }
                return;
            }
        }
    }

    private boolean isIn(JsonNode data, TokenSource source) {
        if (source.type().isPresent() && !source.type().get().equals(parser.type())) {
            return false;
        }
        JsonNode text = data.at(source.pointer());
        return text.isString() && !text.asString().isEmpty();
    }

    private JsonNode json() {
        try {
            return JSON.readTree(parser.data());
        } catch (JacksonException notJson) {
            return JSON.missingNode();
        }
    }

    private void count(long now) {
        if (counted++ == 0) {
            listener.first(StreamTimings.FIRST_EVENT, startNanos, fresh, now);
        } else {
            listener.timed(StreamTimings.EVENT_GAP, now - countedNanos);
        }
        countedNanos = now;
        stream.sentAt().ifPresent(where -> deliver(now, where));
    }

    /** By the clock of both, which {@code System.nanoTime()} isn't. */
    private void deliver(long now, SentAt where) {
        Instant received = Instant.now();
        JsonNode value = json().at(where.pointer());
        try {
            long nanos = where.unit().isPresent()
                    ? since(received, value, where.unit().get())
                    : since(received, Instant.parse(value.asString("")));
            if (nanos < 0) {
                fail(now, "event from the future", "%.3f ms ahead".formatted(-nanos / 1e6));
            } else {
                listener.timed(StreamTimings.EVENT_DELIVERY, nanos);
            }
        } catch (DateTimeException | ArithmeticException noTime) {
            fail(now, "event without its time", "none at " + where);
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

    private void fail(long now, String reason, String detail) {
        problem = new StreamFailure(reason, detail);
        over = true;
        overNanos = now;
    }

    /**
     * Whether it is over by a rule of its own.
     *
     * @return {@code false} while its server has to end it
     */
    public boolean over() {
        return over;
    }

    /**
     * When it was over.
     *
     * @return valid once {@link #over()}
     */
    public long overNanos() {
        return overNanos;
    }

    /** Whether the response may end by itself, so that its connection can be kept. */
    private boolean isEnding() {
        return over && problem == null && !isEnough();
    }

    /**
     * When it has to be ended: since no event has come in time, its time is over, or its server hasn't ended the
     * response after the last event.
     *
     * @return a point in time
     */
    public long limitNanos() {
        if (over) {
            return overNanos + GRACE_NANOS;
        }
        long silent = eventNanos + silenceNanos;
        long end = startNanos + stream.length().map(Duration::toNanos).orElse(silenceNanos);
        return stream.length().isPresent() && end - silent < 0 ? end : silent;
    }

    /** Its time is up: see {@link #limitNanos()}. */
    public void expire() {
        if (over) {
            return;
        }
        long now = limitNanos();
        boolean whole = stream.length().isPresent()
                && now - startNanos >= stream.length().get().toNanos();
        if (!whole || counted == 0) {
            problem = new StreamFailure("no event in time", after(), true);
        }
        over = true;
        overNanos = now;
    }

    private String after() {
        return "after " + counted + (counted == 1 ? " event" : " events");
    }

    /**
     * Its outcome, if its response has ended and is no failure of HTTP.
     *
     * @return a success, or a failure
     */
    public Outcome outcome() {
        if (problem != null) {
            return problem;
        }
        if (!over && !accepted) {
            return new StreamFailure("not an event stream", instead.isEmpty() ? "no content" : instead);
        }
        if (!over && stream.endsItself()) {
            return new StreamFailure("stream ended early", after());
        }
        if (counted == 0) {
            return new StreamFailure("stream without events", "");
        }
        if (ids.lost() > 0) {
            return new StreamFailure("events lost", ids.lost() + " by their ids");
        }
        return Outcome.SUCCESS;
    }

    /**
     * Whether the request is to be sent again after its connection ended.
     *
     * @param outcome of the last connection
     * @return {@code false} if that is the result
     */
    public boolean reconnects(Outcome outcome, long now) {
        boolean early = outcome instanceof StreamFailure && accepted
                || outcome instanceof Outcome.Reset
                || outcome instanceof Outcome.UnknownIfRead
                || outcome instanceof Outcome.ConnectRefused;
        if (!stream.reconnect() || over || !everAccepted || !early) {
            return false;
        }
        if (!broken) {
            broken = true;
            brokenNanos = now;
        }
        return true;
    }

    /**
     * When to connect again: after the time that the server asked for.
     *
     * @return a point in time; not after {@link #limitNanos()}
     */
    public long resumeNanos(long now) {
        long millis = parser.retryMillis() < 0 ? RETRY_MILLIS : parser.retryMillis();
        long resume = now + TimeUnit.MILLISECONDS.toNanos(millis);
        return resume - limitNanos() < 0 ? resume : limitNanos();
    }

    /**
     * The id of the last event, from which a server is asked to go on.
     *
     * @return empty if it had none
     */
    public String lastId() {
        return parser.lastId();
    }
}
