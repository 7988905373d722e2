package io.phaseload.service;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;

/**
 * Items by key, in memory, never more than a given number. Safe for use by any number of threads: operations on one key
 * are ordered, and the limit is exact.
 */
final class ItemStore {

    static final int MAX_KEY = 256;
    static final int MAX_TYPE = 256;

    private final int maxItems;
    private final ConcurrentMap<String, Answer> items = new ConcurrentHashMap<>();
    // One permit per item that still fits; acquired and released within the map's own lock on a
    // key.
    private final Semaphore room;

    ItemStore(int maxItems) {
        this.maxItems = maxItems;
        this.room = new Semaphore(maxItems);
    }

    Answer put(String key, String contentType, byte[] body) {
        if (key.length() > MAX_KEY) {
            return Answer.error(400, "the key is longer than " + MAX_KEY + " characters");
        }
        if (contentType != null && contentType.length() > MAX_TYPE) {
            return Answer.error(400, "the content type is longer than " + MAX_TYPE + " characters");
        }
        if (contentType != null && !isHeaderValue(contentType)) {
            return Answer.error(400, "the content type has a character that no header can have");
        }
        String type = contentType == null ? "application/octet-stream" : contentType;
        Answer item = Answer.of(200, type, body);
        boolean[] replaced = new boolean[1];
        Answer stored = items.compute(key, (k, old) -> {
            replaced[0] = old != null;
            return replaced[0] || room.tryAcquire() ? item : null;
        });
        if (stored == null) {
            return Answer.error(507, "the store is full, it holds " + maxItems + " items");
        }
        return Answer.empty(replaced[0] ? 204 : 201);
    }

    Answer get(String key) {
        Answer item = items.get(key);
        return item == null ? missing() : item;
    }

    Answer delete(String key) {
        boolean[] removed = new boolean[1];
        items.computeIfPresent(key, (k, old) -> {
            removed[0] = true;
            room.release();
            return null;
        });
        return removed[0] ? Answer.empty(204) : missing();
    }

    // A container would have refused it, but an event can contain anything.
    private static boolean isHeaderValue(String text) {
        return text.chars().allMatch(c -> c == '\t' || c >= ' ' && c != 0x7f && c <= 0xff);
    }

    private static Answer missing() {
        return Answer.error(404, "no such item");
    }
}
