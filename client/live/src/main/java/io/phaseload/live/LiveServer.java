package io.phaseload.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.host.Daemons;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves what begins with a token in its path, and answers nothing else. */
public final class LiveServer implements AutoCloseable {

    private static final int TOKEN_BYTES = 16;

    /** A part of the pages. */
    @FunctionalInterface
    public interface Part {

        /**
         * Answers a request.
         *
         * @param name the path after the token
         * @return {@code false} if another part is to answer
         * @throws IOException if the browser has gone
         */
        boolean answer(HttpExchange exchange, String name) throws IOException;
    }

    private final String token;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("phaseload-live"));

    /**
     * Listens.
     *
     * @param address the place to listen at; port 0 is any free one
     * @param token empty for a random one
     * @throws IOException if the port is taken
     */
    public LiveServer(InetSocketAddress address, Optional<String> token) throws IOException {
        this.token = token.orElseGet(LiveServer::random);
        server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/", LiveServer::notFound);
        server.start();
    }

    private static String random() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** Serves parts, in this order. Called once. */
    public void serve(Part... parts) {
        server.createContext(path(), exchange -> {
            String name = exchange.getRequestURI().getPath().substring(path().length());
            for (Part part : parts) {
                if (part.answer(exchange, name)) {
                    return;
                }
            }
            notFound(exchange);
        });
    }

    private static void notFound(HttpExchange exchange) throws IOException {
        answer(exchange, 404, "text/plain", "Not found\n");
    }

    /** {@return the path of all, which begins and ends with a slash} */
    public String path() {
        return "/" + token + "/";
    }

    /** {@return the port that it listens at} */
    public int port() {
        return server.getAddress().getPort();
    }

    static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
