package io.phaseload.server.rooms;

import java.util.concurrent.atomic.LongAdder;

/** Counts while it happens; {@link MessageCounts} says what. Safe for use by several threads. */
final class RoomCounters {

    final LongAdder opened = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder received = new LongAdder();
    final LongAdder unheard = new LongAdder();
    final LongAdder due = new LongAdder();
    final LongAdder delivered = new LongAdder();
    final LongAdder lost = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder undelivered = new LongAdder();
    final LongAdder passed = new LongAdder();
    final LongAdder heard = new LongAdder();

    MessageCounts now() {
        // What ended is read before what began, so that nothing waits less than not at all.
        long ended = delivered.sum() + lost.sum() + dropped.sum() + undelivered.sum() + passed.sum();
        long gone = closed.sum();
        return new MessageCounts(
                opened.sum() - gone,
                opened.sum(),
                received.sum(),
                unheard.sum(),
                delivered.sum(),
                lost.sum(),
                repeated.sum(),
                dropped.sum(),
                undelivered.sum(),
                passed.sum(),
                heard.sum(),
                due.sum() - ended);
    }
}
