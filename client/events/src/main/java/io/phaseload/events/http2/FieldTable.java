package io.phaseload.events.http2;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The header fields that a server refers to by number: the static table (RFC 7541, appendix A), and those it has sent
 * before, without the parts of their text that don't matter. Owned by one connection.
 */
final class FieldTable {

    /** The protocol's default, which this client keeps. */
    private static final int MAX_SIZE = 4_096;

    private static final int OVERHEAD = 32;

    /** The most fields that fit, at their smallest size. */
    private static final int MAX_COUNT = MAX_SIZE / OVERHEAD;

    /** The names of the static table, from number 1 on. */
    static final List<String> NAMES = List.of((":authority :method :method :path :path :scheme :scheme :status :status"
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

    /** The first number of the dynamic table. */
    static final int FIXED = NAMES.size() + 1;

    private static final FieldName[] FIXED_NAMES = new FieldName[FIXED];

    static {
        for (int i = 1; i < FIXED; i++) {
            byte[] name = NAMES.get(i - 1).getBytes(StandardCharsets.US_ASCII);
            FIXED_NAMES[i] = FieldName.of(name, 0, name.length);
        }
    }

    // A ring buffer, with the newest field first. No objects: some servers refill it with each
    // response.
    private final FieldName[] names = new FieldName[MAX_COUNT];
    private final int[] nameLengths = new int[MAX_COUNT];
    private final int[] sizes = new int[MAX_COUNT];
    private final long[] values = new long[MAX_COUNT];
    // Empty unless texts matter.
    private final String[] nameTexts;
    private final String[] valueTexts;
    private int first;
    private int count;
    private int size;
    private int maxSize = MAX_SIZE;

    /**
     * Creates the table of a new connection.
     *
     * @param keepsTexts true if fields are added with their texts
     */
    FieldTable(boolean keepsTexts) {
        nameTexts = new String[keepsTexts ? MAX_COUNT : 0];
        valueTexts = new String[nameTexts.length];
    }

    /**
     * Looks up a field by its number.
     *
     * @return its index, valid until the next field is added
     */
    int find(int number) throws Http2Exception {
        if (number > 0 && number < FIXED) {
            return number;
        }
        int index = number - FIXED;
        if (index < 0 || index >= count) {
            throw new Http2Exception(Http2Error.COMPRESSION_ERROR, "no header field has number " + number);
        }
        return FIXED + (first + index) % MAX_COUNT;
    }

    FieldName name(int place) {
        return place < FIXED ? FIXED_NAMES[place] : names[place - FIXED];
    }

    int nameLength(int place) {
        return place < FIXED ? NAMES.get(place - 1).length() : nameLengths[place - FIXED];
    }

    /** Its value, as read by {@link FieldName#value}. */
    long value(int place) {
        if (place >= FIXED) {
            return values[place - FIXED];
        }
        int status = place - FIRST_STATUS;
        return status >= 0 && status < STATUSES.length ? STATUSES[status] : FieldName.NO_VALUE;
    }

    /** Its name as it was sent; of one that was, if it was added with its text. */
    String nameText(int place) {
        return place < FIXED ? NAMES.get(place - 1) : nameTexts[place - FIXED];
    }

    /** Its value as it was sent; of one that was, if it was added with its text. */
    String valueText(int place) {
        if (place >= FIXED) {
            return valueTexts[place - FIXED];
        }
        // The only other value in the table that a response could have.
        return NAMES.get(place - 1).equals("accept-encoding") ? "gzip, deflate" : "";
    }

    /**
     * Adds a field, and evicts the oldest ones if necessary.
     *
     * @param nameText {@code null} where texts don't matter
     * @param valueText {@code null} where texts don't matter
     */
    void add(FieldName name, int nameLength, long value, int valueLength, String nameText, String valueText) {
        int added = nameLength + valueLength + OVERHEAD;
        evict(maxSize - added);
        if (added <= maxSize) {
            first = (first + MAX_COUNT - 1) % MAX_COUNT;
            names[first] = name;
            nameLengths[first] = nameLength;
            sizes[first] = added;
            values[first] = value;
            if (nameText != null) {
                nameTexts[first] = nameText;
                valueTexts[first] = valueText;
            }
            count++;
            size += added;
        }
    }

    /** The server changes the table's size. */
    void resize(int newMax) throws Http2Exception {
        if (newMax > MAX_SIZE) {
            throw new Http2Exception(Http2Error.COMPRESSION_ERROR, "a table of %d bytes".formatted(newMax));
        }
        maxSize = newMax;
        evict(maxSize);
    }

    private void evict(int wanted) {
        while (count > 0 && size > wanted) {
            count--;
            size -= sizes[(first + count) % MAX_COUNT];
        }
    }
}
