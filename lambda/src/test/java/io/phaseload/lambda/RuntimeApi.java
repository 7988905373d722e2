package io.phaseload.lambda;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What the runtime interface client asks of Lambda, as far as a snapshot is restored and events are answered: the
 * emulator has no snapshots.
 */
final class RuntimeApi implements AutoCloseable {

    private static final String PREFIX = "/2018-06-01/runtime/";

    static final String REQUEST = "00000000-0000-4000-8000-000000000001";

    private final Queue<byte[]> events;
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    RuntimeApi(List<byte[]> events) throws IOException {
        this.events = new ConcurrentLinkedQueue<>(events);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext(PREFIX, this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** The answers in their order; taking one waits for it. */
    BlockingQueue<byte[]> answers() {
        return answers;
    }

    /** What was asked, in its order. */
    List<String> calls() {
        return calls;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String call = exchange.getRequestURI().getPath().substring(PREFIX.length());
        byte[] sent = exchange.getRequestBody().readAllBytes();
        calls.add(call);
        switch (call) {
            case "invocation/next" -> {
                byte[] event = events.poll();
                if (event == null) {
                    // There is nothing to do, so the instance is left waiting.
                    return;
                }
                Headers headers = exchange.getResponseHeaders();
                headers.add("Lambda-Runtime-Aws-Request-Id", REQUEST);
                headers.add("Lambda-Runtime-Deadline-Ms", Long.toString(Long.MAX_VALUE));
                // Without one the client crashes.
                headers.add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, event.length);
                exchange.getResponseBody().write(event);
            }
            case "invocation/" + REQUEST + "/response" -> {
                exchange.sendResponseHeaders(202, -1);
                answers.add(sent);
            }
            default -> exchange.sendResponseHeaders(call.equals("restore/next") ? 200 : 202, -1);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
