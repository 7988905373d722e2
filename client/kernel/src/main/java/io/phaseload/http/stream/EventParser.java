package io.phaseload.http.stream;

import io.phaseload.http.limit.ProgressBudget;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses a stream of events as its bytes arrive, as WHATWG HTML §9.2.6 says: lines end with CR, LF or both, and chunks
 * anywhere. Owned by one stream, over all its connections.
 */
final class EventParser {

    /** An event, or a line, with more bytes is refused. */
    static final int MOST_BYTES = 1 << 20;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private final ByteArrayOutputStream data = new ByteArrayOutputStream(256);
    private final ProgressBudget budget = new ProgressBudget();
    private boolean firstLine;
    private boolean afterCr;
    private String typeRead = "";
    private String idRead = "";
    private boolean idOwn;

    // Of the last event.
    private byte[] eventData = {};
    private String type = "";
    private boolean hasId;
    private String lastId = "";
    private long retryMillis = -1;

    /** Begins the response of another connection: only the last id and the time to wait stay. */
    void begin() {
        line.reset();
        data.reset();
        firstLine = true;
        afterCr = false;
        typeRead = "";
        idRead = lastId;
        idOwn = false;
    }

    /** The result of {@link #read}. */
    enum ReadResult {
        /** More bytes are needed. */
        NOTHING,
        /** An event; there may be more behind it. */
        EVENT,
        /** More bytes in a line or an event than {@link #MOST_BYTES}. */
        TOO_LONG,
        /** More lines without an event than {@link ProgressBudget#PIECES}. */
        TOO_MANY
    }

    private int position;

    /** Where {@link #read} stopped. */
    int position() {
        return position;
    }

    /** Reads up to the end of the next event, or of the bytes. */
    ReadResult read(byte[] bytes, int from, int to) {
        position = from;
        while (position < to) {
            byte next = bytes[position++];
            if (afterCr) {
                afterCr = false;
                if (next == '\n') {
                    continue;
                }
            }
            if (next != '\n' && next != '\r') {
                position = takeLine(bytes, position - 1, to);
                if (line.size() + data.size() > MOST_BYTES) {
                    return ReadResult.TOO_LONG;
                }
                continue;
            }
            afterCr = next == '\r';
            if (endLine()) {
                budget.progress();
                return ReadResult.EVENT;
            }
            if (budget.exceeded()) {
                return ReadResult.TOO_MANY;
            }
        }
        return ReadResult.NOTHING;
    }

    private int takeLine(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != '\n' && bytes[end] != '\r') {
            end++;
        }
        line.write(bytes, from, end - from);
        return end;
    }

    /** Returns whether an event ends with this line. */
    private boolean endLine() {
        byte[] text = line.toByteArray();
        line.reset();
        int from = firstLine && startsWithMark(text) ? BYTE_ORDER_MARK.length : 0;
        firstLine = false;
        if (from == text.length) {
            return dispatch();
        }
        int colon = from;
        while (colon < text.length && text[colon] != ':') {
            colon++;
        }
        if (colon > from) {
            int value = Math.min(colon + 1, text.length);
            if (value < text.length && text[value] == ' ') {
                value++;
            }
            field(text(text, from, colon), text, value);
        }
        return false;
    }

    private static boolean startsWithMark(byte[] text) {
        if (text.length < BYTE_ORDER_MARK.length) {
            return false;
        }
        for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
            if (text[i] != BYTE_ORDER_MARK[i]) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private void field(String name, byte[] text, int from) {
        switch (name) {
            case "data" -> {
                data.write(text, from, text.length - from);
                data.write('\n');
            }
            case "event" -> typeRead = text(text, from, text.length);
            case "id" -> {
                String id = text(text, from, text.length);
                if (id.indexOf(0) < 0) {
                    idRead = id;
                    idOwn = true;
                }
            }
            case "retry" -> {
                String digits = text(text, from, text.length);
                if (digits.matches("[0-9]{1,15}")) {
                    retryMillis = Long.parseLong(digits);
                }
            }
            default -> {
                // Others have no meaning.
            }
        }
    }

    private boolean dispatch() {
        lastId = idRead;
        boolean whole = data.size() > 0;
        if (whole) {
            byte[] all = data.toByteArray();
            eventData = Arrays.copyOf(all, all.length - 1);
            type = typeRead.isEmpty() ? "message" : typeRead;
            hasId = idOwn;
        }
        data.reset();
        typeRead = "";
        idOwn = false;
        return whole;
    }

    /** The last event's data. */
    byte[] data() {
        return eventData;
    }

    /** Its type; {@code message} unless it says another one. */
    String type() {
        return type;
    }

    /** Whether it has an id of its own. */
    boolean hasId() {
        return hasId;
    }

    /** The id to ask on from; empty for none. */
    String lastId() {
        return lastId;
    }

    /** How long to wait before the next connection; negative if the server hasn't said it. */
    long retryMillis() {
        return retryMillis;
    }
}
