package io.phaseload.originals.eventstore;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** An event of fixed size: its number, a payload that follows from the number, and a checksum of both. */
final class Event {
    static final int BYTES = 100;

    private static final int CHECKED = BYTES - Integer.BYTES;

    private Event() {}

    static void write(long number, ByteBuffer to) {
        int start = to.position();
        to.putLong(number);
        long payload = number;
        while (to.position() - start < CHECKED) {
            payload = payload * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            to.putLong(payload);
        }
        to.putInt(checksum(to, start));
    }

    /** Whether an event with this number is whole. It begins at the position, which moves to its end. */
    static boolean read(long number, ByteBuffer from) {
        int start = from.position();
        from.position(start + BYTES);
        return from.getLong(start) == number && from.getInt(start + CHECKED) == checksum(from, start);
    }

    private static int checksum(ByteBuffer events, int start) {
        CRC32C checksum = new CRC32C();
        checksum.update(events.duplicate().limit(start + CHECKED).position(start));
        return (int) checksum.getValue();
    }
}
