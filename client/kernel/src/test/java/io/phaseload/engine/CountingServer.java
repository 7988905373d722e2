package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An HTTP server on the loopback that counts requests by method, answers each with 200, and can be told to do something
 * before it answers. As an extension it is closed after each test, and sees to it that no thread of a run is left then.
 */
public final class CountingServer implements AutoCloseable, AfterEachCallback {

    private static final byte[] ANSWER = "ok".getBytes(StandardCharsets.US_ASCII);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, AtomicLong> byMethod = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile LongConsumer beforeAnswer = number -> {};

    private CountingServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Starts a server on a free port.
     *
     * @return a server that answers at once
     */
    public static CountingServer start() {
        try {
            return new CountingServer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        close();
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    /**
     * Does something before each answer.
     *
     * @param action is given the request's number, from 1
     * @return this
     */
    public CountingServer beforeAnswer(LongConsumer action) {
        beforeAnswer = action;
        return this;
    }

    /** Never answers: each request waits until the server is closed. */
    public CountingServer silent() {
        return beforeAnswer(number -> {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The server's base. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** All requests so far, answered or not. */
    public long requests() {
        return requests.get();
    }

    /** Requests of one method so far. */
    public long requests(String method) {
        return byMethod.getOrDefault(method, new AtomicLong()).get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byMethod.computeIfAbsent(exchange.getRequestMethod(), any -> new AtomicLong())
                    .incrementAndGet();
            beforeAnswer.accept(requests.incrementAndGet());
            exchange.sendResponseHeaders(200, ANSWER.length);
            exchange.getResponseBody().write(ANSWER);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
