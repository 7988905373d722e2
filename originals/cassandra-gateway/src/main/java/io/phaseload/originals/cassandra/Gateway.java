package io.phaseload.originals.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;

/**
 * Items of a Cassandra cluster over HTTP. All requests go to one node, which coordinates them; if it is down they fail,
 * although other nodes may be up.
 *
 * <pre>
 *   PUT    /items/KEY?cl=QUORUM    204
 *   GET    /items/KEY?cl=QUORUM    200, or 404
 *   DELETE /items/KEY?cl=QUORUM    204
 *   GET    /count                  200, the number of items, read with ALL
 * </pre>
 *
 * If Cassandra refuses, the response is 503 with its exception as the body. Without {@code cl} it is QUORUM.
 */
public final class Gateway {

    private static final int MOST_CONNECTIONS = 20_000;

    /**
     * Longer than Cassandra's own limits, whose exceptions say more; and making a table takes a busy machine seconds.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CqlSession session;
    private final Map<String, PreparedStatement> statements;
    private final PreparedStatement count;

    private Gateway(CqlSession session) {
        this.session = session;
        statements = Map.of(
                "PUT", session.prepare("INSERT INTO phaseload.items (key, value) VALUES (?, ?)"),
                "GET", session.prepare("SELECT value FROM phaseload.items WHERE key = ?"),
                "DELETE", session.prepare("DELETE FROM phaseload.items WHERE key = ?"));
        count = session.prepare("SELECT count(*) FROM phaseload.items");
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments the address to listen on as HOST:PORT, the node's as HOST:PORT, and the number of replicas
     * @throws IOException if it can't listen there
     */
    public static void main(String[] arguments) throws IOException {
        // The driver's threads would keep the process alive.
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            thrown.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        InetSocketAddress listen = address(arguments[0]);
        InetSocketAddress node = address(arguments[1]);
        // Its default keeps 200 connections alive; each user of a load has one.
        System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(MOST_CONNECTIONS));
        System.setProperty("sun.net.httpserver.nodelay", "true");
        CqlSession session = CqlSession.builder()
                .addContactPoint(node)
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                        .build())
                .withNodeDistanceEvaluator(new OneNode(node))
                .build();
        session.execute("CREATE KEYSPACE IF NOT EXISTS phaseload WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': " + Integer.parseInt(arguments[2]) + "}");
        session.execute("CREATE TABLE IF NOT EXISTS phaseload.items (key text PRIMARY KEY, value text)");
        HttpServer server = HttpServer.create(listen, 1024);
        server.createContext("/", new Gateway(session)::handle);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.start();
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String method = exchange.getRequestMethod();
        PreparedStatement statement = statements.get(method);
        if (path.equals("/count") && method.equals("GET")) {
            respond(exchange, run(count.bind(), DefaultConsistencyLevel.ALL).thenApply(Gateway::found));
        } else if (!path.startsWith("/items/") || statement == null) {
            send(exchange, new Answer(404, path));
        } else {
            String key = path.substring("/items/".length());
            BoundStatement bound = method.equals("PUT")
                    ? statement.bind(key, new String(body, StandardCharsets.UTF_8))
                    : statement.bind(key);
            try {
                CompletionStage<AsyncResultSet> result =
                        run(bound, level(exchange.getRequestURI().getQuery()));
                respond(
                        exchange,
                        result.thenApply(method.equals("GET") ? Gateway::found : rows -> new Answer(204, "")));
            } catch (IllegalArgumentException e) {
                send(exchange, new Answer(400, "cl: expected a consistency level such as QUORUM"));
            }
        }
    }

    private static ConsistencyLevel level(String query) {
        return query == null
                ? DefaultConsistencyLevel.QUORUM
                : DefaultConsistencyLevel.valueOf(query.startsWith("cl=") ? query.substring("cl=".length()) : query);
    }

    private CompletionStage<AsyncResultSet> run(BoundStatement statement, ConsistencyLevel level) {
        return session.executeAsync(statement.setConsistencyLevel(level));
    }

    private static Answer found(AsyncResultSet rows) {
        Row row = rows.one();
        return row == null ? new Answer(404, "no such key") : new Answer(200, String.valueOf(row.getObject(0)));
    }

    private static void respond(HttpExchange exchange, CompletionStage<Answer> result) {
        result.exceptionally(Gateway::refusal).thenAccept(answer -> {
            try {
                send(exchange, answer);
            } catch (IOException e) {
                // The client has gone.
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Answer refusal(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (cause instanceof AllNodesFailedException failed
                && !failed.getAllErrors().isEmpty()) {
            cause = failed.getAllErrors().values().iterator().next().get(0);
        }
        return new Answer(503, cause.getClass().getSimpleName() + ": " + cause.getMessage());
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private record Answer(int status, String body) {}
}
