package io.phaseload.journey;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The last responses of an iteration that have a validator, so that a user can ask whether they have changed (RFC 9110
 * §13). Each is asked for again: nothing is taken for fresh. Owned by the user's thread.
 */
final class StoredResponses {

    /** A user's page with what it needs; each may have a MiB. */
    private static final int MOST = 20;

    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private final Map<String, Response> byPath = new LinkedHashMap<>();

    void clear() {
        byPath.clear();
    }

    /** Writes the lines of a request's header that make it conditional. */
    void write(String method, String path, Bytes head) {
        Response stored = method.equals("GET") ? byPath.get(path) : null;
        if (stored != null) {
            ValueFinder.header(stored.head(), "ETag").ifPresent(tag -> head.addLine("If-None-Match", tag));
            ValueFinder.header(stored.head(), "Last-Modified")
                    .ifPresent(time -> head.addLine("If-Modified-Since", time));
        }
    }

    /** The response that one stands for: itself, or the one that hasn't changed. */
    Response settled(String method, String path, Response response) {
        if (!method.equals("GET")) {
            return response;
        }
        if (response.status() == NOT_MODIFIED) {
            return byPath.getOrDefault(path, response);
        }
        if (response.status() == OK && isStorable(response.head())) {
            byPath.put(path, response);
            if (byPath.size() > MOST) {
                Iterator<String> eldest = byPath.keySet().iterator();
                eldest.next();
                eldest.remove();
            }
        }
        return response;
    }

    private static boolean isStorable(byte[] head) {
        Predicate<String> noStore = value -> value.toLowerCase(Locale.ROOT).contains("no-store");
        boolean validated = ValueFinder.header(head, "ETag").isPresent()
                || ValueFinder.header(head, "Last-Modified").isPresent();
        return validated
                && ValueFinder.header(head, "Cache-Control").filter(noStore).isEmpty();
    }
}
