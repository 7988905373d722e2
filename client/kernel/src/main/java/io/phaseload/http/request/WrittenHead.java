package io.phaseload.http.request;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a request's header back from its bytes, for those who send it in another form. It is well formed: no value has
 * a line's end in it.
 */
final class WrittenHead {

    private WrittenHead() {}

    /** The second word of the first line, without the address before it that a proxy needs. */
    static String path(byte[] wire, int length) {
        int from = 0;
        while (wire[from] != ' ') {
            from++;
        }
        int to = from + 1;
        while (to < length && wire[to] != ' ') {
            to++;
        }
        String sent = new String(wire, from + 1, to - from - 1, StandardCharsets.ISO_8859_1);
        return sent.startsWith("/") ? sent : sent.substring(sent.indexOf('/', "http://".length()));
    }

    /** From name to value, in order. */
    static Map<String, String> headers(byte[] wire, int length) {
        Map<String, String> headers = new LinkedHashMap<>();
        String[] lines = new String(wire, 0, length, StandardCharsets.ISO_8859_1).split("\r\n");
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(lines[i].substring(0, colon), lines[i].substring(colon + 2));
        }
        return headers;
    }
}
