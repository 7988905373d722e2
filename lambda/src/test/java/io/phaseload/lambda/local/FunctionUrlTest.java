package io.phaseload.lambda.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.phaseload.lambda.Handler;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The local Function URL behind a real server. */
class FunctionUrlTest {

    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    // Held here, since java.util.logging forgets the level of a logger that nobody holds.
    private static final Logger FAILURES = Logger.getLogger(FunctionUrl.class.getName());

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private TargetServer server;

    @BeforeAll
    static void beQuietAboutFailuresOnPurpose() {
        FAILURES.setLevel(Level.OFF);
    }

    @AfterAll
    static void beAsBefore() {
        FAILURES.setLevel(null);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void start(Supplier<RequestStreamHandler> function, int limit, Duration coldStart) throws IOException {
        server = TargetServer.start(
                ServerSettings.builder().port(0).drainTimeout(Duration.ZERO).build(),
                new FunctionUrl(new Instances(function, limit, coldStart)));
    }

    private void start(Supplier<RequestStreamHandler> function) throws IOException {
        start(function, NO_LIMIT, Duration.ZERO);
    }

    private HttpRequest request(String method, String path, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.url().resolve(path))
                .timeout(PATIENCE)
                .method(method, BodyPublishers.ofByteArray(body));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    private HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers) throws Exception {
        return http.send(request(method, path, body, headers), BodyHandlers.ofByteArray());
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return send("GET", path, new byte[0]);
    }

    private CompletableFuture<HttpResponse<byte[]>> getAsync() {
        return http.sendAsync(request("GET", "/", new byte[0]), BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static String start(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Phaseload-Start").orElseThrow();
    }

    private static RequestStreamHandler saying(String answer) {
        return (in, out, context) -> out.write(answer.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theServiceMatchesTheServlets() throws Exception {
        start(Handler::new);
        HttpResponse<byte[]> alive = get("/");
        assertThat(alive.statusCode()).isEqualTo(200);
        assertThat(text(alive)).isEqualTo("alive");
        assertThat(alive.headers().firstValue("Content-Type")).hasValue("text/plain");
        byte[] text = "日本語 😀".getBytes(StandardCharsets.UTF_8);
        assertThat(text(send("POST", "/", text))).isEqualTo("5");
        assertThat(text(send("POST", "/", text, "Content-Type", "text/plain"))).isEqualTo("5");
        assertThat(text(get("/nope%20"))).isEqualTo("{\"error\":\"not found\",\"path\":\"/nope%20\"}");
        HttpResponse<byte[]> refused = send("DELETE", "/", new byte[0]);
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).hasValue("GET, HEAD, POST");
        HttpResponse<byte[]> head = send("HEAD", "/", new byte[0]);
        assertThat(head.headers().firstValue("Content-Length")).hasValue("5");
        assertThat(server.requestsServed()).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/x-test", "text/plain", "application/json;charset=utf-8"})
    void anyBytesRoundTrip(String type) throws Exception {
        start(Handler::new);
        byte[] bytes = {0, (byte) 0xff, 'x', (byte) 0xc3, (byte) 0xa9};
        HttpResponse<byte[]> put = send("PUT", "/items/a%20b%25", bytes, "Content-Type", type);
        assertThat(put.statusCode()).isEqualTo(201);
        HttpResponse<byte[]> item = get("/items/a%20b%25");
        assertThat(item.headers().firstValue("Content-Type")).hasValue(type);
        assertThat(item.body()).isEqualTo(bytes);
    }

    @Test
    void oneUserNeedsOneInstance() throws Exception {
        start(Handler::new);
        String cold = start(get("/"));
        assertThat(cold).startsWith("cold; instance=").endsWith("; invocation=1");
        for (int i = 2; i < 5; i++) {
            assertThat(start(get("/")))
                    .isEqualTo(cold.replace("cold;", "warm;").replace("invocation=1", "invocation=" + i));
        }
    }

    @Test
    void anInstanceTakesOneEventAtATimeAndTheLimitIsEnforced() throws Exception {
        CountDownLatch busy = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        start(
                () -> {
                    Handler handler = new Handler();
                    return (in, out, context) -> {
                        busy.countDown();
                        awaitUninterrupted(go);
                        handler.handleRequest(in, out, context);
                    };
                },
                2,
                Duration.ZERO);
        List<CompletableFuture<HttpResponse<byte[]>>> two = List.of(getAsync(), getAsync());
        busy.await();
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> refused = get("/");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(text(refused))
                    .isEqualTo("{\"Reason\":\"ReservedFunctionConcurrentInvocationLimitExceeded\","
                            + "\"Type\":\"User\",\"message\":\"Rate Exceeded.\"}");
            assertThat(refused.headers().firstValue("Phaseload-Start")).isEmpty();
        }
        go.countDown();
        for (CompletableFuture<HttpResponse<byte[]>> one : two) {
            assertThat(start(one.get())).startsWith("cold; ").endsWith("; invocation=1");
        }
        assertThat(start(get("/"))).startsWith("warm; ");
        assertThat(server.requestsServed()).isEqualTo(6);
    }

    @Test
    void onlyANewInstanceStartsCold() throws Exception {
        Duration coldStart = Duration.ofMillis(150);
        start(Handler::new, 1, coldStart);
        long before = System.nanoTime();
        assertThat(start(get("/"))).startsWith("cold; ");
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(coldStart.toNanos());
        assertThat(start(get("/"))).startsWith("warm; ");
    }

    @Test
    void anInstanceThatIsStartingCounts() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        start(
                () -> {
                    starting.countDown();
                    awaitUninterrupted(go);
                    return new Handler();
                },
                1,
                Duration.ZERO);
        CompletableFuture<HttpResponse<byte[]>> first = getAsync();
        starting.await();
        assertThat(get("/").statusCode()).isEqualTo(429);
        go.countDown();
        assertThat(start(first.get())).startsWith("cold; ");
    }

    @Test
    void anInvalidAnswerIsABadGateway() throws Exception {
        for (String answer : new String[] {
            "",
            "?",
            "[]",
            "{\"statusCode\": 99}",
            "{\"statusCode\": \"200\"}",
            "{\"statusCode\": 200, \"body\": 1}",
            "{\"statusCode\": 200, \"headers\": []}",
            "{\"statusCode\": 200, \"body\": \"@\", \"isBase64Encoded\": true}"
        }) {
            start(() -> saying(answer));
            HttpResponse<byte[]> response = get("/");
            assertThat(response.statusCode()).as(answer).isEqualTo(502);
            assertThat(text(response)).isEqualTo("Internal Server Error");
            server.close();
        }
    }

    @Test
    void aFailingFunctionIsABadGatewayAndKeepsRunning() throws Exception {
        List<String> events = new ArrayList<>();
        start(
                () -> (in, out, context) -> {
                    events.add("one");
                    if (events.size() == 1) {
                        throw new IllegalStateException("for a test");
                    }
                    saying("{\"statusCode\": 204}").handleRequest(in, out, context);
                },
                1,
                Duration.ZERO);
        assertThat(get("/").statusCode()).isEqualTo(502);
        assertThat(get("/").statusCode()).isEqualTo(204);
    }

    @Test
    void anAnswerWithoutAStatusIsTheBody() throws Exception {
        start(() -> saying("{\"message\": \"hello\"}"));
        HttpResponse<byte[]> response = get("/");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(text(response)).isEqualTo("{\"message\": \"hello\"}");
    }

    @Test
    void aBodyTooLargeForAnEventIsRejected() throws Exception {
        server = TargetServer.start(
                ServerSettings.builder().port(0).build(),
                new FunctionUrl(new Instances(Handler::new, 1, Duration.ZERO)));
        HttpResponse<byte[]> response = send("POST", "/", new byte[(6 << 20) + 1]);
        assertThat(response.statusCode()).isEqualTo(413);
    }

    @Test
    void aThousandConnectionsAreKept() throws Exception {
        start(Handler::new);
        List<Socket> connections = new ArrayList<>();
        byte[] request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < 1000; i++) {
                Socket connection =
                        new Socket(server.url().getHost(), server.url().getPort());
                connection.setSoTimeout((int) PATIENCE.toMillis());
                connections.add(connection);
            }
            for (int round = 1; round <= 3; round++) {
                for (Socket connection : connections) {
                    connection.getOutputStream().write(request);
                }
                for (Socket connection : connections) {
                    assertThat(readTo("alive", connection)).startsWith("HTTP/1.1 200");
                }
                assertThat(server.requestsServed()).isEqualTo(1000L * round);
            }
        } finally {
            for (Socket connection : connections) {
                connection.close();
            }
        }
    }

    private static String readTo(String end, Socket connection) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[1024];
        while (text.indexOf(end) < 0) {
            int length = connection.getInputStream().read(buffer);
            assertThat(length).as(text.toString()).isPositive();
            text.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
