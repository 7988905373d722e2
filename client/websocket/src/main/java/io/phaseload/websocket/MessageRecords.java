package io.phaseload.websocket;

import io.phaseload.measure.Outcome;
import io.phaseload.run.Partners;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.Timing;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The messages that a pair sent and received. Each message ends once: when all receivers have it, when it is known that
 * one of them won't get it, or at the time limit; what arrives after that is late. Times are those of
 * {@link System#nanoTime()}. Owned by one thread.
 */
final class MessageRecords {

    /** As many that were given up are remembered, to tell those that are late from copies. */
    private static final int MOST_GIVEN_UP = 1_000;

    /** A power of two. */
    private static final int FIRST_ENTRIES = 16;

    /** Is told how messages end. */
    interface Listener {

        /** A message was received: the time since it was due. */
        void received(Timing timing, long nanos);

        /** A message that was sent has ended. */
        void ended(long pair, long sequence, long dueNanos, long sentNanos, long endNanos, Outcome outcome);
    }

    private static final class Entry {
        private final long sequence;
        private final long dueNanos;
        private final long sentNanos;
        // A bit for each receiver that doesn't have it.
        private long missing;
        private boolean ended;
        // Why it may never arrive; null if nothing is known.
        private String doubt;

        Entry(long sequence, long dueNanos, long sentNanos, long missing) {
            this.sequence = sequence;
            this.dueNanos = dueNanos;
            this.sentNanos = sentNanos;
            this.missing = missing;
        }
    }

    private final long pair;
    private final long all;
    private final long limitNanos;
    private final Listener listener;
    private final long[] highest;
    // From the oldest to the next, each at its sequence modulo the length, for as long as copies
    // are expected.
    private Entry[] entries = new Entry[FIRST_ENTRIES];
    private long oldest;
    private final Map<Long, Entry> givenUp = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Entry> eldest) {
            return size() > MOST_GIVEN_UP;
        }
    };
    private long next;

    /**
     * Creates an empty record of messages.
     *
     * @param receivers their number: 1 to 64
     * @param limitNanos the time after its sending when a message is given up
     */
    MessageRecords(long pair, int receivers, long limitNanos, Listener listener) {
        this.pair = pair;
        this.all = -1L >>> (Long.SIZE - receivers);
        this.limitNanos = limitNanos;
        this.listener = listener;
        this.highest = new long[receivers];
        Arrays.fill(highest, -1);
    }

    /** Enters a message and returns its sequence. */
    long sent(long dueNanos, long now) {
        if (next - oldest == entries.length) {
            grow();
        }
        entries[index(next)] = new Entry(next, dueNanos, now, all);
        return next++;
    }

    private int index(long sequence) {
        return (int) sequence & entries.length - 1;
    }

    private void grow() {
        Entry[] few = entries;
        entries = new Entry[2 * few.length];
        for (Entry entry : few) {
            entries[index(entry.sequence)] = entry;
        }
    }

    private Entry entry(long sequence) {
        return sequence >= oldest ? entries[index(sequence)] : givenUp.get(sequence);
    }

    /**
     * A message has arrived.
     *
     * @param receiver its index
     * @param at the time. If that isn't known exactly, its bound is reported with deliveries. No message was received
     *     before it was sent, whatever another client's clock says
     */
    void received(int receiver, long sequence, long dueNanos, Partners.PartnerTime at) {
        if (sequence < 0 || sequence >= next) {
            return;
        }
        long bit = 1L << receiver;
        Entry entry = entry(sequence);
        long now = at.nanos();
        if (entry != null && now - entry.sentNanos < 0) {
            now = entry.sentNanos;
        }
        if (entry == null || (entry.missing & bit) == 0) {
            listener.received(MessageTimings.DUPLICATED, now - dueNanos);
            return;
        }
        entry.missing &= ~bit;
        if (entry.ended) {
            listener.received(MessageTimings.LATE, now - entry.dueNanos);
            return;
        }
        delivered(now - entry.dueNanos, at.bound());
        if (sequence < highest[receiver]) {
            listener.received(MessageTimings.REORDERED, now - entry.dueNanos);
        } else {
            highest[receiver] = sequence;
        }
        if (entry.missing == 0) {
            end(entry, now, Outcome.SUCCESS);
        }
    }

    private void delivered(long nanos, long bound) {
        listener.received(MessageTimings.DELIVERY, nanos);
        if (bound > 0) {
            listener.received(MessageTimings.CLOCK_BOUND, bound);
        }
        if (nanos < bound) {
            listener.received(MessageTimings.BELOW_BOUND, nanos);
        }
    }

    /** A receiver's connection has ended: what is on its way to it is lost. */
    void receiverGone(int receiver, String why, long now) {
        for (long sequence = oldest; sequence < next; sequence++) {
            Entry entry = entry(sequence);
            if (!entry.ended && (entry.missing & 1L << receiver) != 0) {
                end(entry, now, new MessageLost("receiver " + why, false));
            }
        }
    }

    /** Messages on their way may still arrive; otherwise this is why they don't. */
    void doubt(String why) {
        for (long sequence = oldest; sequence < next; sequence++) {
            Entry entry = entry(sequence);
            if (!entry.ended && entry.doubt == null) {
                entry.doubt = why;
            }
        }
    }

    /** Gives up what was sent too long ago, and forgets what has ended that long ago. */
    void expire(long now) {
        while (oldest < next && now - entry(oldest).sentNanos - limitNanos >= 0) {
            Entry entry = entry(oldest);
            entries[index(oldest++)] = null;
            if (!entry.ended) {
                String why = entry.doubt == null ? "not received in time" : entry.doubt;
                end(entry, entry.sentNanos + limitNanos, new MessageLost(why, true));
            }
            if (entry.missing != 0) {
                givenUp.put(entry.sequence, entry);
            }
        }
    }

    /** Ends all that are on their way. */
    void abandon(Outcome outcome, long now) {
        for (long sequence = oldest; sequence < next; sequence++) {
            Entry entry = entry(sequence);
            if (!entry.ended) {
                end(entry, now, outcome);
            }
        }
    }

    private void end(Entry entry, long now, Outcome outcome) {
        entry.ended = true;
        listener.ended(pair, entry.sequence, entry.dueNanos, entry.sentNanos, now, outcome);
    }
}
