package io.phaseload.websocket.steps;

import io.phaseload.http.socket.SocketCall;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The messages that arrived since the last one that was expected. Those of users who don't look at them are forgotten,
 * the oldest first. Owned by one thread.
 */
final class Inbox {

    private static final int MOST_MESSAGES = 1_000;
    private static final int MOST_BYTES = 1 << 20;

    /**
     * A message.
     *
     * @param bytes a text's as UTF-8
     */
    record ArrivedMessage(byte[] bytes, boolean isText, long nanos) {}

    private final Deque<ArrivedMessage> messages = new ArrayDeque<>();
    private int bytes;

    void add(ArrivedMessage message) {
        messages.add(message);
        bytes += message.bytes().length;
        while (messages.size() > MOST_MESSAGES || bytes > MOST_BYTES && messages.size() > 1) {
            poll();
        }
    }

    private ArrivedMessage poll() {
        ArrivedMessage first = messages.poll();
        bytes -= first.bytes().length;
        return first;
    }

    /**
     * Takes the first message that fits, and those before it.
     *
     * @param passedOver told of each of these
     * @return {@code null} if none fits
     */
    ArrivedMessage take(SocketCall.ExpectCall expected, Consumer<ArrivedMessage> passedOver) {
        while (!messages.isEmpty()) {
            ArrivedMessage first = poll();
            if (expected.match().fits(first.bytes(), first.isText())) {
                return first;
            }
            passedOver.accept(first);
        }
        return null;
    }

    void clear() {
        messages.clear();
        bytes = 0;
    }
}
