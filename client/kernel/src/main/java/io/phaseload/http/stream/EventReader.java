package io.phaseload.http.stream;

import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.timing.StreamTimings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * One request's stream of events, over all its connections: when it is over, and what became of it. Times go to a
 * listener as events come. All points in time are those of {@link System#nanoTime()}.
 *
 * <p>Owned by one thread at a time.
 */
public final class EventReader {

    /** The time for a server to end the response by itself after the last event. */
    private static final long GRACE_NANOS = 100_000_000;

    /** The wait before a reconnect unless the server sends another time; as Chromium does. */
    private static final long RETRY_MILLIS = 3_000;

    private final EventStream stream;
    private final EventListener listener;
    private final CountedEvents counted;
    private final long silenceNanos;
    private final EventParser parser = new EventParser();
    private final EventIds ids = new EventIds();

    private LongConsumer limit = nanos -> {};
    // Of this connection: whether its response is a stream of events, or what it is instead.
    private boolean accepted;
    private String instead = "";
    // Of all connections.
    private boolean everAccepted;
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
        this.counted = new CountedEvents(stream, listener);
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
            counted.begin(now, made);
            eventNanos = now;
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
                case TOO_LONG -> fail(now, new StreamFailure("event too long", "more than 1 MiB"));
                case TOO_MANY -> fail(now, new StreamFailure("endless comments", ProgressBudget.reason("lines")));
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
        StreamFailure failure = counted.add(parser, now);
        if (failure != null) {
            fail(now, failure);
        } else if (last || counted.areEnough()) {
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

    private void fail(long now, StreamFailure failure) {
        problem = failure;
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
        return over && problem == null && !counted.areEnough();
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
        long end = counted.startNanos() + stream.length().map(Duration::toNanos).orElse(silenceNanos);
        return stream.length().isPresent() && end - silent < 0 ? end : silent;
    }

    /** Its time is up: see {@link #limitNanos()}. */
    public void expire() {
        if (over) {
            return;
        }
        long now = limitNanos();
        boolean whole = stream.length().isPresent()
                && now - counted.startNanos() >= stream.length().get().toNanos();
        if (!whole || counted.number() == 0) {
            problem = new StreamFailure("no event in time", after(), true);
        }
        over = true;
        overNanos = now;
    }

    private String after() {
        return "after " + counted.number() + (counted.number() == 1 ? " event" : " events");
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
        if (counted.number() == 0) {
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
                || outcome == Outcome.NoResponse.UNKNOWN_IF_READ
                || outcome == Outcome.NoResponse.CONNECT_REFUSED;
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
