package io.phaseload.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An HTTP server on the loopback that keeps the requests it got. Thread-safe. */
public final class RecordingServer implements AutoCloseable, AfterEachCallback {

    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    /** One request, as it came. */
    public record Received(String method, String target, Headers headers, byte[] body) {

        public String line() {
            return method + " " + target;
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ToIntFunction<Received> status;
    private final boolean closing;
    private final byte[] answer;
    // Guarded by this.
    private final List<Received> received = new ArrayList<>();

    private RecordingServer(ToIntFunction<Received> status, boolean closing, String answer) throws IOException {
        this.status = status;
        this.closing = closing;
        this.answer = answer.getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** A server that answers each request with 200. */
    public static RecordingServer start() {
        return start(request -> 200);
    }

    /**
     * A server that answers with a function's status.
     *
     * @param status of each request; 0 leaves it without an answer
     */
    public static RecordingServer start(ToIntFunction<Received> status) {
        return start(status, false, "ok");
    }

    /** A server that answers with 200 and closes the connection. */
    public static RecordingServer closing() {
        return start(request -> 200, true, "ok");
    }

    /** A server that answers each request with 200 and a body. */
    public static RecordingServer answering(String body) {
        return start(request -> 200, false, body);
    }

    private static RecordingServer start(ToIntFunction<Received> status, boolean closing, String answer) {
        try {
            return new RecordingServer(status, closing, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As an extension it is closed after each test. */
    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    /** The server's base, with a slash at its end. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    public synchronized List<Received> received() {
        return List.copyOf(received);
    }

    /** Waits until that many requests have come, answered or not. */
    public synchronized void await(int requests) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (received.size() < requests) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError(received.size() + " of " + requests + " requests came");
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Received request = new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    exchange.getRequestBody().readAllBytes());
            synchronized (this) {
                received.add(request);
                notifyAll();
            }
            int code = status.applyAsInt(request);
            if (code == 0) {
                closed.await();
            } else {
                if (closing) {
                    exchange.getResponseHeaders().set("Connection", "close");
                }
                boolean head = request.method().equals("HEAD");
                exchange.sendResponseHeaders(code, head ? -1 : answer.length);
                if (!head) {
                    exchange.getResponseBody().write(answer);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
