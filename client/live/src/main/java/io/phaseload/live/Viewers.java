package io.phaseload.live;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The events of a run, and the browsers that receive them as server-sent events (HTML, section 9.2). A browser that
 * comes later receives all earlier ones first. Thread-safe.
 */
final class Viewers {

    /** A browser that is this many seconds behind is disconnected; it comes back by itself. */
    private static final int BEHIND = 600;

    private static final long SECONDS_BETWEEN_SIGNS = 10;
    /** The event of a trial of a sweep, which later trials don't replace. */
    static final String TRIAL = "trial";

    private static final String SIGN_OF_LIFE = ":\n\n";
    private static final String END = "";

    // Guarded by this, both.
    private final List<String> events = new ArrayList<>();
    private final List<BlockingQueue<String>> connected = new ArrayList<>();

    /** Adds an event that later browsers receive, too. */
    synchronized void keep(String name, String json) {
        events.add(event(name, json));
        send(name, json);
    }

    /** Forgets all events but those of trials: another run begins, with this one. */
    synchronized void restart(String name, String json) {
        events.removeIf(event -> !event.startsWith("event: " + TRIAL + "\n"));
        keep(name, json);
    }

    /** Sends an event that the next one of its name replaces. */
    synchronized void send(String name, String json) {
        String event = event(name, json);
        connected.removeIf(queue -> !queue.offer(event));
    }

    private static String event(String name, String json) {
        return "event: " + name + "\ndata: " + json + "\n\n";
    }

    /** {@return the number of browsers that are connected} */
    synchronized int connected() {
        return connected.size();
    }

    /** Ends all connections. */
    synchronized void end() {
        connected.forEach(queue -> queue.offer(END));
    }

    private synchronized BlockingQueue<String> join(List<String> earlier) {
        earlier.addAll(events);
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(BEHIND);
        connected.add(queue);
        return queue;
    }

    private synchronized boolean leave(BlockingQueue<String> queue) {
        return connected.remove(queue);
    }

    private synchronized boolean isConnected(BlockingQueue<String> queue) {
        return connected.contains(queue);
    }

    /** Sends events to a browser until it leaves or the page ends. */
    void serve(OutputStream out) throws IOException, InterruptedException {
        List<String> earlier = new ArrayList<>();
        BlockingQueue<String> queue = join(earlier);
        try {
            for (String event : earlier) {
                out.write(event.getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
            while (isConnected(queue) || !queue.isEmpty()) {
                String event = queue.poll(SECONDS_BETWEEN_SIGNS, TimeUnit.SECONDS);
                if (END.equals(event)) {
                    return;
                }
                out.write((event == null ? SIGN_OF_LIFE : event).getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } finally {
            leave(queue);
        }
    }
}
