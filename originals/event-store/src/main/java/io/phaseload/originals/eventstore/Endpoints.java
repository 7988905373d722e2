package io.phaseload.originals.eventstore;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The endpoints of one peer.
 *
 * <ul>
 *   <li>{@code GET /measure/{buffer}/insert-events/{count}} inserts events into an empty store, and answers the time
 *       that it took
 *   <li>{@code DELETE /data} answers a token, and {@code POST /clean} with it removes all events
 *   <li>{@code GET /count} reads and counts this peer's events
 * </ul>
 */
final class Endpoints implements AutoCloseable {
    private static final long MOST_EVENTS = 1_000_000_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Raft raft;
    private final Path data;

    private record Answer(int status, String json) {
        static Answer refused(int status, String reason) {
            return new Answer(status, "{\"error\":\"" + reason.replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"}");
        }
    }

    Endpoints(Settings settings, Raft raft) throws IOException {
        this.raft = raft;
        data = settings.data();
        server = HttpServer.create(
                new InetSocketAddress(
                        settings.http().getHostString(), settings.http().getPort()),
                0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (CompletionException | IllegalStateException e) {
                answer = Answer.refused(503, String.valueOf(e.getCause() == null ? e : e.getCause()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                answer = Answer.refused(503, "the store is closed");
            }
            byte[] body = answer.json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        switch (exchange.getRequestMethod() + " " + path) {
            case "GET /count" -> {
                Events.Count count = raft.count().join();
                return new Answer(200, "{\"events\":" + count.events() + ",\"inserted\":" + count.inserted() + "}");
            }
            case "DELETE /data" -> {
                long token = raft.send(new Command.MakeToken()).join().value();
                return new Answer(200, "{\"token\":\"t" + token + "\"}");
            }
            case "POST /clean" -> {
                String token = new String(exchange.getRequestBody().readNBytes(20), StandardCharsets.UTF_8);
                return clean(token.matches("t\\d{1,18}") ? Long.parseLong(token.substring(1)) : 0);
            }
            default -> {
                String[] parts = path.split("/", -1);
                if (parts.length == 5
                        && exchange.getRequestMethod().equals("GET")
                        && parts[1].equals("measure")
                        && parts[3].equals("insert-events")) {
                    return insert(parts[2], parts[4]);
                }
                return Answer.refused(404, exchange.getRequestMethod() + " " + path);
            }
        }
    }

    private Answer clean(long token) {
        Reply reply = raft.send(new Command.Clean(token)).join();
        return reply.accepted() ? new Answer(200, "{\"cleaned\":true}") : Answer.refused(403, reply.refusal());
    }

    private Answer insert(String buffer, String count) throws IOException, InterruptedException {
        Optional<BufferType> type = BufferType.of(buffer);
        if (type.isEmpty()) {
            return Answer.refused(404, "buffer: expected memory or disk of 1k to 2m, such as disk-64k, got " + buffer);
        }
        long events = count.matches("\\d{1,10}") ? Long.parseLong(count) : 0;
        if (events < 1 || events > MOST_EVENTS) {
            return Answer.refused(404, "events: expected 1 to " + MOST_EVENTS + ", got " + count);
        }
        return insert(type.get(), events);
    }

    /** One at a time: a second one then finds that events are left. */
    private synchronized Answer insert(BufferType type, long events) throws IOException, InterruptedException {
        Path file = data.resolve("buffer");
        long begun = System.nanoTime();
        Reply reply = new Insertion(raft, type.open(file)).insert(events);
        double elapsed = (System.nanoTime() - begun) / 1e6;
        Files.deleteIfExists(file);
        if (!reply.accepted()) {
            return Answer.refused(409, reply.refusal());
        }
        String json = "{\"timeElapsed\":%.3f,\"bufferSize\":%d,\"stored\":%d}";
        return new Answer(200, String.format(Locale.ROOT, json, elapsed, type.bytes(), reply.value()));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
