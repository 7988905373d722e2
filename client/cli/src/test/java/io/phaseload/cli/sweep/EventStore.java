package io.phaseload.cli.sweep;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.cli.Cli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A store that measures itself, as far as tests need one: {@code GET /insert/{count}} answers how long it took, which
 * is 1 ms an event, and fails while there are events already; {@code DELETE /data} answers a token, and {@code POST
 * /clean} with that token removes them.
 */
final class EventStore implements AutoCloseable, AfterEachCallback {

    private static final Object[] CLEAN_UP = {
        "--after", "DELETE /data", "--take", "token=/result/token", "--after", "POST /clean {\"token\": \"{token}\"}"
    };

    private final HttpServer server;
    // Guarded by this.
    private final List<String> log = new ArrayList<>();
    private int events;
    private int tokens;

    EventStore() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** A sweep that inserts {@code {count}} events in each trial, and cleans up after it. */
    Cli sweep(Path out, Object... more) {
        List<Object> usual = new ArrayList<>(List.of("--warmup", "0s", "--threads", 1, "-n", 1));
        usual.addAll(List.of("--url", url(), "--get", "/insert/{count}"));
        usual.addAll(List.of("--metric", "elapsed=/timeElapsed:ms", "--out", out));
        Object[] own = Stream.concat(Stream.of(CLEAN_UP), Stream.of(more)).toArray();
        return Cli.run(Stream.concat(Stream.of("sweep"), Stream.of(Cli.line(usual, own)))
                .toArray());
    }

    /** The requests so far, with their bodies. */
    synchronized List<String> log() {
        return List.copyOf(log);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            log.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
            int status = 200;
            String answer = "{}";
            if (path.startsWith("/insert/")) {
                int count = Integer.parseInt(path.substring("/insert/".length()));
                status = events > 0 || count == 13 ? 409 : 200;
                events += count;
                answer = "{\"timeElapsed\": " + count + ", \"bufferSize\": 64}";
            } else if (path.equals("/data")) {
                answer = "{\"result\": {\"token\": \"t" + ++tokens + "\"}}";
            } else if (path.equals("/clean")) {
                status = body.equals("{\"token\": \"t" + tokens + "\"}") ? 200 : 400;
                events = status == 200 ? 0 : events;
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }
}
