package io.phaseload.timing;

import static io.phaseload.timing.Timing.Use.COUNT;
import static io.phaseload.timing.Timing.Use.DISTRIBUTION;
import static io.phaseload.timing.Timing.Use.OPTIONAL;

import java.util.List;

/** The times of messages over WebSocket, which are counted as requests: one succeeded when all its receivers had it. */
public final class MessageTimings implements TimingProvider {

    /** Their part of the figures. */
    public static final Section SECTION = new Section("messages", "message");

    private static final Section STEPS = new Section("", "message");
    private static final Section CLOCKS = new Section("messages.clocks", "message");

    /** Asking a connection to become a WebSocket, until the server has agreed. */
    public static final Timing HANDSHAKE = SECTION.timing("connect-websocket", "handshake");
    /** From a message that a step sent to the receipt of the one that the next step expected. */
    public static final Timing ROUND_TRIP = STEPS.timing("round-trip", "roundTrip");
    /** From the moment that a message has in it to its receipt by the step that expected it. */
    public static final Timing MESSAGE_DELIVERY =
            STEPS.timing("message-delivery", "messageDelivery", DISTRIBUTION, OPTIONAL);
    /** Receipt − intended, of messages: one for each receiver. */
    public static final Timing DELIVERY = SECTION.timing("delivery", "delivery", DISTRIBUTION);
    /** Receipt − intended, of messages that a receiver had already. */
    public static final Timing DUPLICATED = SECTION.timing("duplicated", "duplicated");
    /** Receipt − intended, of messages behind one that was sent later; a part of deliveries. */
    public static final Timing REORDERED = SECTION.timing("reordered", "reordered");
    /** Receipt − intended, of messages that had been given up. */
    public static final Timing LATE = SECTION.timing("late", "late");
    /** Messages that were neither ours nor asked for; their time is 0. */
    public static final Timing IGNORED = SECTION.timing("ignored", "ignored", COUNT);
    /** How far a delivery's time may be from the truth, since clocks of two machines measured it. */
    public static final Timing CLOCK_BOUND = CLOCKS.timing("clock-bound", "bound");
    /** Receipt − intended, of deliveries that took less than their clock bound. */
    public static final Timing BELOW_BOUND = CLOCKS.timing("below-clock-bound", "belowBound", COUNT);

    /** For {@link java.util.ServiceLoader}. */
    public MessageTimings() {}

    @Override
    public List<Timing> timings() {
        return List.of(
                HANDSHAKE,
                ROUND_TRIP,
                MESSAGE_DELIVERY,
                DELIVERY,
                DUPLICATED,
                REORDERED,
                LATE,
                IGNORED,
                CLOCK_BOUND,
                BELOW_BOUND);
    }
}
