package io.phaseload.timing;

import static io.phaseload.timing.Timing.Use.COUNT;
import static io.phaseload.timing.Timing.Use.DISTRIBUTION;
import static io.phaseload.timing.Timing.Use.THRESHOLD;
import static io.phaseload.timing.Timing.Use.TOTAL;

import java.util.List;

/**
 * The times of server-sent events in responses that are streams. Of a model's stream, events with a text are tokens,
 * also of its reasoning and its tool calls.
 */
public final class StreamTimings implements TimingProvider {

    /** Their part of the figures. Its total are the events that count, of all streams, also of those that failed. */
    public static final Section SECTION = new Section("streams", "event");

    /** First event of a stream − intended. */
    public static final Timing FIRST_EVENT =
            SECTION.titled("first %s", "first-event", "firstEvent", DISTRIBUTION, THRESHOLD, TOTAL);
    /** First token of a model's output, which is no reasoning and no tool call − intended. */
    public static final Timing FIRST_OUTPUT = SECTION.timing("first-output", "firstOutput", DISTRIBUTION, THRESHOLD);
    /** From an event of a stream to the next one, over reconnects, too. */
    public static final Timing EVENT_GAP =
            SECTION.titled("gap between %ss", "event-gap", "eventGap", DISTRIBUTION, THRESHOLD, TOTAL);
    /** Receipt − sent by the server, of events of streams that say it. */
    public static final Timing EVENT_DELIVERY =
            SECTION.titled("delivery", "event-delivery", "eventDelivery", DISTRIBUTION, THRESHOLD);
    /** From a stream's early end to the first new event of its next connection. */
    public static final Timing EVENT_RECONNECT = SECTION.titled("reconnect", "event-reconnect", "reconnect");
    /** From an event to one after a reconnect that had been received before. */
    public static final Timing EVENT_REPEATED = SECTION.timing("event-repeated", "repeated", COUNT);

    /** For {@link java.util.ServiceLoader}. */
    public StreamTimings() {}

    @Override
    public List<Timing> timings() {
        return List.of(FIRST_EVENT, FIRST_OUTPUT, EVENT_GAP, EVENT_DELIVERY, EVENT_RECONNECT, EVENT_REPEATED);
    }
}
