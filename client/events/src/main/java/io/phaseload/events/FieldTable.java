package io.phaseload.events;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The header fields that a server refers to by number: those that every connection has (RFC 7541,
 * appendix A), and those it has sent before. Owned by one connection.
 */
final class FieldTable {

    /** As large as it is unless it is said otherwise, which this client doesn't. */
    private static final int MAX_SIZE = 4_096;

    private static final int OVERHEAD = 32;

    /** A field, without what doesn't matter of its text. */
    record Field(FieldName name, int nameLength, long value, int size) {}

    /** The names of the fields that every connection has, from number 1 on. */
    static final List<String> NAMES =
            List.of(
                    (":authority :method :method :path :path :scheme :scheme :status :status"
                                    + " :status :status :status :status :status accept-charset"
                                    + " accept-encoding accept-language accept-ranges accept"
                                    + " access-control-allow-origin age allow authorization"
                                    + " cache-control content-disposition content-encoding"
                                    + " content-language content-length content-location"
                                    + " content-range content-type cookie date etag expect expires"
                                    + " from host if-match if-modified-since if-none-match if-range"
                                    + " if-unmodified-since last-modified link location"
                                    + " max-forwards proxy-authenticate proxy-authorization range"
                                    + " referer refresh retry-after server set-cookie"
                                    + " strict-transport-security transfer-encoding user-agent vary"
                                    + " via www-authenticate")
                            .split(" "));

    private static final int FIRST_STATUS = 8;
    private static final int[] STATUSES = {200, 204, 206, 304, 400, 404, 500};
    private static final Field[] FIXED = new Field[NAMES.size() + 1];

    static {
        for (int i = 1; i < FIXED.length; i++) {
            byte[] name = NAMES.get(i - 1).getBytes(StandardCharsets.US_ASCII);
            int status = i - FIRST_STATUS;
            boolean isStatus = status >= 0 && status < STATUSES.length;
            FIXED[i] =
                    new Field(
                            FieldName.of(name, 0, name.length),
                            name.length,
                            isStatus ? STATUSES[status] : FieldName.NO_VALUE,
                            0);
        }
    }

    // A ring, the newest at its first place.
    private Field[] sent = new Field[16];
    private int first;
    private int count;
    private int size;
    private int maxSize = MAX_SIZE;

    /** The field with a number. */
    Field get(int number) throws Http2Exception {
        if (number > 0 && number < FIXED.length) {
            return FIXED[number];
        }
        int index = number - FIXED.length;
        if (index < 0 || index >= count) {
            throw Http2Error.COMPRESSION_ERROR.because("no header field has number " + number);
        }
        return sent[first + index & sent.length - 1];
    }

    /** Keeps a field; the oldest ones make room for it. */
    void add(FieldName name, int nameLength, long value, int valueLength) {
        Field field = new Field(name, nameLength, value, nameLength + valueLength + OVERHEAD);
        evict(maxSize - field.size());
        if (field.size() > maxSize) {
            return;
        }
        if (count == sent.length) {
            grow();
        }
        first = first - 1 & sent.length - 1;
        sent[first] = field;
        count++;
        size += field.size();
    }

    /** The server makes it smaller, or larger again. */
    void resize(int newMax) throws Http2Exception {
        if (newMax > MAX_SIZE) {
            throw Http2Error.COMPRESSION_ERROR.because("a table of %d bytes".formatted(newMax));
        }
        maxSize = newMax;
        evict(maxSize);
    }

    private void evict(int wanted) {
        while (count > 0 && size > wanted) {
            count--;
            int last = first + count & sent.length - 1;
            size -= sent[last].size();
            sent[last] = null;
        }
    }

    private void grow() {
        Field[] larger = Arrays.copyOf(sent, 2 * sent.length);
        for (int i = 0; i < count; i++) {
            larger[i] = sent[first + i & sent.length - 1];
        }
        Arrays.fill(larger, count, larger.length, null);
        sent = larger;
        first = 0;
    }
}
