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
    private final ConcurrentMap<String, ServiceResponse> items = new ConcurrentHashMap<>();
    // One permit per item that still fits; acquired and released within the map's own lock on a
    // key.
    private final Semaphore room;

    ItemStore(int maxItems) {
        this.maxItems = maxItems;
        this.room = new Semaphore(maxItems);
    }

    ServiceResponse put(String key, String contentType, byte[] body) {
        if (key.length() > MAX_KEY) {
            return ServiceResponse.error(400, "the key is longer than " + MAX_KEY + " characters");
        }
        if (contentType != null && contentType.length() > MAX_TYPE) {
            return ServiceResponse.error(400, "the content type is longer than " + MAX_TYPE + " characters");
        }
        if (contentType != null && !isHeaderValue(contentType)) {
            return ServiceResponse.error(400, "the content type has a character that no header can have");
        }
        String type = contentType == null ? "application/octet-stream" : contentType;
        ServiceResponse item = ServiceResponse.of(200, type, body);
        boolean[] replaced = new boolean[1];
        ServiceResponse stored = items.compute(key, (k, old) -> {
            replaced[0] = old != null;
            return replaced[0] || room.tryAcquire() ? item : null;
        });
        if (stored == null) {
            return ServiceResponse.error(507, "the store is full, it holds " + maxItems + " items");
        }
        return ServiceResponse.empty(replaced[0] ? 204 : 201);
    }

    ServiceResponse get(String key) {
        ServiceResponse item = items.get(key);
        return item == null ? missing() : item;
    }

    ServiceResponse delete(String key) {
        boolean[] removed = new boolean[1];
        items.computeIfPresent(key, (k, old) -> {
            removed[0] = true;
            room.release();
            return null;
        });
        return removed[0] ? ServiceResponse.empty(204) : missing();
    }

    // A container would have refused it, but an event can contain anything.
    private static boolean isHeaderValue(String text) {
        return text.chars().allMatch(c -> c == '\t' || c >= ' ' && c != 0x7f && c <= 0xff);
    }

    private static ServiceResponse missing() {
        return ServiceResponse.error(404, "no such item");
    }
}
